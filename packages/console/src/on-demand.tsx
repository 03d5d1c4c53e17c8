import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { checkConnection, useConnection } from './api/connection.ts';
import { queryClient } from './api/query-client.ts';
import { Notice } from './components/notice.tsx';
import { useMessages } from './messages/messages.ts';
import { Waiting } from './waiting.tsx';

interface OnDemand<Props> {
  (props: Props): ReactNode;
  /** Loads the code before it is needed. */
  readonly load: () => Promise<void>;
}

interface FallbackProps {
  /** Why the code is not there; undefined while it loads. */
  readonly notice: ReactNode;
}

/** Everything whose code is loaded on demand. */
const parts = new Set<() => Promise<void>>();

/**
 * A page, or a part of one, whose code is loaded when it is first shown, and again when the server is back. React's
 * `lazy` would throw what fails, and hold a page back until the fallback has been on the screen for 300 ms: with this,
 * the first rows of a station are there after two thirds of the time.
 */
export function onDemand<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  Fallback: ComponentType<FallbackProps> = Waiting,
): OnDemand<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const load = async () => {
    Loaded ??= await read();
  };
  parts.add(load);
  function Part(props: Props) {
    const { isReachable } = useConnection();
    const [, setLoaded] = useState(false);
    const [hasFailed, setFailed] = useState(false);
    const isLoaded = Loaded !== undefined;
    useEffect(() => {
      if (isLoaded) return;
      if (isReachable) setFailed(false);
      // What is shown depends on whether the server answers, so that is found out first.
      const fail = () => checkConnection().then(() => setFailed(true));
      load().then(() => setLoaded(true), fail);
    }, [isLoaded, isReachable]);
    const retry = async () => {
      try {
        await load();
        setLoaded(true);
      } catch {
        // Some browsers remember failures. Without the server, the browser would show its own error page.
        if (await checkConnection()) location.reload();
      }
    };
    if (Loaded !== undefined) return <Loaded {...props} />;
    return <Fallback notice={hasFailed ? <NotLoaded onRetry={retry} /> : undefined} />;
  }
  return Object.assign(Part, { load });
}

function NotLoaded({ onRetry }: { readonly onRetry: () => void }) {
  const { errors, common } = useMessages();
  const { isReachable } = useConnection();
  return (
    <Notice tone="error">
      <p>{isReachable ? errors.notLoaded : errors.unreachable}</p>
      <button type="button" className="button" onClick={onRetry}>
        {common.retry}
      </button>
    </Notice>
  );
}

/** For dialogs and the like: nothing takes their place but the reason why they do not open. */
export function OnlyNotice({ notice }: FallbackProps) {
  return notice && <div className="banner">{notice}</div>;
}

/** Past the requests of the first page. */
const settleMs = 2_000;
const pauseMs = 100;

/** Once the first data is there, loads what else there is one after the other, in case the server goes away. */
export function preloadWhenIdle(): void {
  const stop = queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.state.status !== 'success') return;
    stop();
    setTimeout(() => void preload(), settleMs);
  });
}

/** Includes the parts of pages, which are known once these are loaded. */
async function preload(): Promise<void> {
  for (const load of parts) {
    await untilIdle();
    await load().catch(() => {});
  }
}

/** Data goes first, also on a slow link. */
async function untilIdle(): Promise<void> {
  while (queryClient.isFetching() > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  // Safari has no such callback.
  const wait: (done: () => void) => unknown = globalThis.requestIdleCallback ?? setTimeout;
  await new Promise<void>((resolve) => {
    wait(() => resolve());
  });
}
