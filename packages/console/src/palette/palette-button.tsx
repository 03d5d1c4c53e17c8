import { type ComponentType, useEffect, useState } from 'react';
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider';
import { Icon } from '../components/icon.tsx';
import { useMessages } from '../messages/messages.ts';

type Palette = ComponentType<{ readonly onClose: () => void }>;

/** Loaded by then, it opens at once: those who press the keys do not wait before they type. */
const loadAfterMs = 1_000;

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the palette, as Ctrl-K does from anywhere. */
export function PaletteButton() {
  const { palette: words } = useMessages();
  const [isOpen, setOpen] = useState(false);
  // Not `lazy`, which shows nothing for a third of a second although it is loaded.
  const [palette, setPalette] = useState<{ readonly Palette: Palette }>();
  useEffect(() => {
    const load = async () => setPalette(await import('./palette.tsx'));
    const timer = setTimeout(load, isOpen ? 0 : loadAfterMs);
    return () => clearTimeout(timer);
  }, [isOpen]);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <button
        type="button"
        className="button palette-button"
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span className="palette-label">{words.open}</span>
        <span className="visually-hidden"> {words.title}</span>
        <span className="palette-keys" aria-hidden="true">
          {isMac ? '⌘K' : 'Ctrl K'}
        </span>
      </button>
      {isOpen && palette && (
        // The content of the page comes and goes under it.
        <PortalProvider getContainer={() => document.querySelector('.top-bar')}>
          <palette.Palette onClose={() => setOpen(false)} />
        </PortalProvider>
      )}
    </>
  );
}
