import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { formatCount } from '../format/format.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { Icon, type IconName } from './icon.tsx';

interface PopoverButtonProps {
  readonly label: string;
  readonly icon?: IconName;
  /** Number of selected items. */
  readonly badge?: number;
  /** Whether only the icon is shown. */
  readonly isBare?: boolean;
  readonly isQuiet?: boolean;
  readonly placement?: 'bottom start' | 'bottom end';
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** A button that opens a popover. */
export function PopoverButton(props: PopoverButtonProps) {
  const {
    label,
    icon,
    badge = 0,
    isBare = false,
    isQuiet = false,
    placement = 'bottom start',
    children,
  } = props;
  const count = formatCount(badge, usePreferences().language);
  return (
    <DialogTrigger>
      <Button
        className={isQuiet ? 'button quiet-button' : 'button'}
        aria-label={badge > 0 ? `${label} (${count})` : label}
      >
        {icon && <Icon name={icon} />}
        {!isBare && <span className="label">{label}</span>}
        {badge > 0 && <span className="badge">{count}</span>}
        {!isBare && <Icon name="down" />}
      </Button>
      <Popover className="popover" placement={placement}>
        <Dialog className="popover-form" aria-label={label}>
          {({ close }) => (typeof children === 'function' ? children(close) : children)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
