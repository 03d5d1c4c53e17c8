import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useSession } from './api/session.ts';
import { AccountMenu } from './components/account/account-menu.tsx';
import { Choice } from './components/choice.tsx';
import { useMessages } from './messages/messages.ts';
import { Link } from './navigation/link.tsx';
import type { Route } from './navigation/route.ts';
import { PaletteButton } from './palette/palette-button.tsx';
import { type Preferences, setPreferences, usePreferences } from './preferences/preferences.ts';

const stationPages: readonly Route['page'][] = ['stations', 'station', 'resource', 'changes'];

export function TopBar({ page }: { readonly page: Route['page'] }) {
  const { nav } = useMessages();
  const { may, needsToken, principal } = useSession();
  const links = [
    ['/', nav.now, page === 'now'],
    ['/stations', nav.stations, stationPages.includes(page)],
    ['/resources', nav.resources, page === 'resources'],
    ['/types', nav.types, page === 'types'],
    ['/sources', nav.sources, page === 'sources'],
    ...(may('write_resources') ? ([['/import', nav.import, page === 'import']] as const) : []),
    ...(may('manage_tokens') ? ([['/tokens', nav.tokens, page === 'tokens']] as const) : []),
    ['/about', nav.about, page === 'about'],
  ] as const;
  const isShut = needsToken && principal === null;
  const bar = useRef<HTMLElement>(null);
  // Where the links do not fit, they scroll, and the current one stays in view.
  useLayoutEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (current)
      bar.current!.scrollLeft = current.offsetLeft - (bar.current!.clientWidth - current.offsetWidth) / 2;
  }, [page, isShut, links.length]);
  useCutEdges(bar, isShut);
  return (
    <header className="top-bar">
      <Link href="/" className="brand">
        <img src="/favicon.svg" alt="" width="22" height="22" />
        <span>Roster</span>
      </Link>
      {!isShut && (
        <nav ref={bar} aria-label={nav.main}>
          {links.map(([href, text, isHere]) => (
            <Link key={href} href={href} aria-current={isHere ? 'page' : undefined}>
              {text}
            </Link>
          ))}
        </nav>
      )}
      <span className="spring" />
      {!isShut && <PaletteButton />}
      <Switches />
      <AccountMenu />
    </header>
  );
}

/** Marks the sides on which there is more to scroll to. */
function useCutEdges(scroller: RefObject<HTMLElement | null>, isShut: boolean): void {
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current === null || isShut) return;
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth, dataset } = current;
      const isCut = { start: scrollLeft > 1, end: scrollLeft + clientWidth < scrollWidth - 1 };
      dataset.cut = [isCut.start && 'start', isCut.end && 'end'].filter(Boolean).join(' ');
    };
    mark();
    const observer = new ResizeObserver(mark);
    // The links too, which change with the language and with what the user may do.
    for (const each of [current, ...current.children]) observer.observe(each);
    current.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', mark);
    };
  }, [scroller, isShut]);
}

function Switches() {
  const { preferences: words } = useMessages();
  const { theme, language } = usePreferences();
  return (
    <div className="switches">
      <Choice<Preferences['theme']>
        label={words.theme}
        value={theme}
        options={[
          ['system', words.themes.system],
          ['light', words.themes.light],
          ['dark', words.themes.dark],
        ]}
        onChange={(next) => setPreferences({ theme: next })}
      />
      <Choice<Preferences['language']>
        label={words.language}
        value={language}
        options={[
          ['en', 'English'],
          ['zh', '中文'],
        ]}
        onChange={(next) => setPreferences({ language: next })}
      />
    </div>
  );
}
