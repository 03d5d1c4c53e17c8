import { useEffect, useState } from 'react';
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider';
import { Icon } from '../components/icon.tsx';
import { useMessages } from '../messages/messages.ts';
import { OnlyNotice, onDemand } from '../on-demand.tsx';

const Palette = onDemand(async () => (await import('./palette.tsx')).Palette, OnlyNotice);

/** Loaded by then, it opens at once: those who press the keys do not wait before they type. */
const loadAfterMs = 1_000;

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the palette, as Ctrl-K does from anywhere. */
export function PaletteButton() {
  const { palette: words } = useMessages();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    // If that fails, it says so when it is opened.
    const timer = setTimeout(() => Palette.load().catch(() => {}), loadAfterMs);
    return () => clearTimeout(timer);
  }, []);
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
      {isOpen && (
        // The content of the page comes and goes under it.
        <PortalProvider getContainer={() => document.querySelector('.top-bar')}>
          <Palette onClose={() => setOpen(false)} />
        </PortalProvider>
      )}
    </>
  );
}
