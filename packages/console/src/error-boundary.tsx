import { Component, type ReactNode } from 'react';
import { Notice } from './components/notice.tsx';
import { useMessages } from './messages/messages.ts';

interface ErrorBoundaryProps {
  /** A change of it gives the content another chance. */
  readonly place?: string;
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly failure: { readonly error: unknown } | undefined;
}

/** Says what went wrong instead of leaving the window empty. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: undefined };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error } };
  }

  override componentDidUpdate({ place }: ErrorBoundaryProps): void {
    if (place !== this.props.place && this.state.failure) this.#retry();
  }

  readonly #retry = () => this.setState({ failure: undefined });

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return <Failed error={failure.error} onRetry={this.#retry} />;
  }
}

interface FailedProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

function Failed({ error, onRetry }: FailedProps) {
  const { errors, common } = useMessages();
  return (
    <main id="content" className="page">
      <Notice tone="error">
        <p>{errors.failed}</p>
        <p className="quiet">{String(error)}</p>
        <button type="button" className="button" onClick={onRetry}>
          {common.retry}
        </button>
      </Notice>
    </main>
  );
}
