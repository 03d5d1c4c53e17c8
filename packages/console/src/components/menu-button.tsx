import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';

interface MenuChoice {
  readonly id: string;
  readonly label: string;
  readonly onChoose: () => void;
}

interface MenuButtonProps {
  readonly label: string;
  readonly icon: IconName;
  readonly choices: readonly MenuChoice[];
}

export function MenuButton({ label, icon, choices }: MenuButtonProps) {
  return (
    <MenuTrigger>
      <Button className="button" aria-label={label}>
        <Icon name={icon} />
        <span className="wide-only">{label}</span>
        <Icon name="down" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={label}>
          {choices.map(({ id, label: text, onChoose }) => (
            <MenuItem key={id} id={id} className="menu-item" onAction={onChoose}>
              {text}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
