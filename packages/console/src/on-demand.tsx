import { type ComponentType, useEffect, useState } from 'react';
import { ErrorNotice } from './components/notice.tsx';

interface OnDemand<Props> {
  (props: Props): React.ReactNode;
  /** Loads the code before it is needed. */
  readonly load: () => Promise<void>;
}

/**
 * A page whose code is loaded when it is first shown. React's `lazy` would hold it back until the fallback has been on
 * the screen for 300 ms: with this, the first rows of a station are there after two thirds of the time.
 */
export function onDemand<Props extends object>(read: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let Loaded: ComponentType<Props> | undefined;
  const load = async () => {
    Loaded ??= await read();
  };
  function Page(props: Props) {
    const [isLoaded, setLoaded] = useState(Loaded !== undefined);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      if (!isLoaded) load().then(() => setLoaded(true), setError);
    }, [isLoaded]);
    if (Loaded !== undefined) return <Loaded {...props} />;
    return <Waiting error={error} onRetry={() => location.reload()} />;
  }
  return Object.assign(Page, { load });
}

interface WaitingProps {
  readonly error?: unknown;
  readonly onRetry?: () => void;
}

/** In place of a page that is not there yet. */
export function Waiting({ error, onRetry }: WaitingProps) {
  return (
    <main id="content" className="page" aria-busy="true">
      {error !== undefined && <ErrorNotice error={error} {...(onRetry && { onRetry })} />}
    </main>
  );
}
