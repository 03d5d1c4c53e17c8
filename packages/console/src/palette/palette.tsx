import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { Icon } from '../components/icon.tsx';
import { Text } from '../components/text.tsx';
import { useMessages } from '../messages/messages.ts';
import { navigate } from '../navigation/location.ts';
import type { PaletteItem } from './palette-items.ts';
import { usePaletteFinds } from './use-palette-finds.ts';

/** Goes to a station, resource, type, view or page by a part of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const { palette: words } = useMessages();
  return (
    <ModalOverlay
      className="dialog-overlay palette-overlay"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Modal className="dialog palette">
        <Dialog aria-label={words.title}>
          <Finder onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Finder({ onClose }: { readonly onClose: () => void }) {
  const { palette: words } = useMessages();
  const id = useId();
  const [wanted, setWanted] = useState('');
  const [active, setActive] = useState(0);
  const { groups, isSearching, hasFailed } = usePaletteFinds(wanted);
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(active, Math.max(0, items.length - 1));
  const choose = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    onClose();
    item.act?.();
    if (item.href !== undefined) navigate(item.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) setActive((at + step + items.length) % Math.max(1, items.length));
    if (event.key === 'Enter') choose(items[at]);
    if (step !== undefined || event.key === 'Enter') event.preventDefault();
  };
  const optionId = (index: number) => `${id}-${index}`;
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  let next = 0;
  return (
    <>
      <label className="palette-field">
        <Icon name="search" />
        <input
          type="search"
          role="combobox"
          aria-label={words.title}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={items.length > 0 ? optionId(at) : undefined}
          placeholder={words.hint}
          // biome-ignore lint/a11y/noAutofocus: whoever opens it wants to type.
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={wanted}
          onChange={({ target }) => {
            setWanted(target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <div className="palette-list" role="listbox" id={`${id}-list`} aria-label={words.title}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options.
          <div key={group.title} role="group" aria-label={group.title}>
            <p className="palette-title" aria-hidden="true">
              {group.title}
            </p>
            {group.items.map((item) => {
              const index = next++;
              return (
                <Option
                  key={item.id}
                  id={optionId(index)}
                  item={item}
                  isActive={index === at}
                  onChoose={() => choose(item)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {(items.length === 0 || hasFailed) && (
        <p className="palette-none quiet" role="status">
          {isSearching ? words.searching : hasFailed ? words.failed : words.none}
        </p>
      )}
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

function Option({ id, item, isActive, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
    <div id={id} role="option" aria-selected={isActive} className="palette-item" onClick={onChoose}>
      <Text value={item.text} />
      {item.more !== undefined && <Text value={item.more} className="quiet" />}
    </div>
  );
}
