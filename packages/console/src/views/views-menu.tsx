import { type StationAddress, stationPath } from '@roster/client';
import { PopoverButton } from '../components/popover-button.tsx';
import { useMessages } from '../messages/messages.ts';
import type { View } from '../navigation/view-search.ts';
import { SaveView } from './save-view.tsx';
import { viewQuery } from './view-href.ts';
import { ViewList } from './view-list.tsx';

interface ViewsMenuProps {
  /** Undefined for all stations. */
  readonly address: StationAddress | undefined;
  readonly view: View;
}

/** Saved views to open, and the list on the screen to save as one. */
export function ViewsMenu({ address, view }: ViewsMenuProps) {
  const { views: words } = useMessages();
  const station = address === undefined ? null : stationPath(address);
  return (
    <PopoverButton label={words.title} icon="bookmark" placement="bottom end">
      {(close) => (
        <div className="views">
          <ViewList onOpen={close} />
          <SaveView station={station} query={viewQuery(view)} />
        </div>
      )}
    </PopoverButton>
  );
}
