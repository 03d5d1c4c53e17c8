import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import { Icon, type IconName } from './icon.tsx';

export interface MenuChoice {
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
          {choices.map(toItem)}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

interface MoreButtonProps {
  readonly label: string;
  readonly sections: readonly { readonly label: string; readonly choices: readonly MenuChoice[] }[];
}

/** Stands for several menus where there is no room for a button each. */
export function MoreButton({ label, sections }: MoreButtonProps) {
  return (
    <MenuTrigger>
      <Button className="button" aria-label={label}>
        <Icon name="more" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={label}>
          {sections.map((section) => (
            <MenuSection key={section.label} className="menu-section">
              <Header className="menu-title">{section.label}</Header>
              {section.choices.map(toItem)}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

const toItem = ({ id, label, onChoose }: MenuChoice) => (
  <MenuItem key={id} id={id} className="menu-item" onAction={onChoose}>
    {label}
  </MenuItem>
);
