import { HttpError, isRateLimited, isUnauthorized, isUnreachable } from '@roster/client';
import type { ReactNode } from 'react';
import { useConnection } from '../api/connection.ts';
import { useConsoleSession } from '../api/session.ts';
import { type Messages, useMessages } from '../messages/messages.ts';
import { Icon } from './icon.tsx';

interface NoticeProps {
  readonly tone: 'info' | 'warning' | 'error' | 'success';
  readonly children: ReactNode;
}

/** A message, announced to screen readers. */
export function Notice({ tone, children }: NoticeProps) {
  const icon = tone === 'success' ? 'check' : tone === 'info' ? 'other' : 'alert';
  return (
    <div className={`notice ${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
      <Icon name={icon} />
      <div className="notice-body">{children}</div>
    </div>
  );
}

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Whether what the server said before is shown. The banner about the connection then says enough. */
  readonly hasData?: boolean;
  /** Whether the error is from the sign-in form. */
  readonly isSignIn?: boolean;
}

/** An error, with the server's message if there is one. Hidden while the sign-in dialog is shown. */
export function ErrorNotice({ error, onRetry, hasData = false, isSignIn = false }: ErrorNoticeProps) {
  const messages = useMessages();
  const { hasEnded } = useConsoleSession();
  const { isReachable } = useConnection();
  if (hasData && !isReachable && isUnreachable(error)) return null;
  if (hasEnded && isUnauthorized(error) && !isSignIn) return null;
  return (
    <Notice tone="error">
      <p>{isUnauthorized(error) && !isSignIn ? messages.access.wasEnded : explain(error, messages)}</p>
      {error instanceof HttpError && error.requestId !== undefined && (
        <p className="quiet">{messages.errors.requestId(error.requestId)}</p>
      )}
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          {messages.common.retry}
        </button>
      )}
    </Notice>
  );
}

function explain(error: unknown, { errors }: Messages): string {
  if (isUnreachable(error)) return errors.unreachable;
  if (isRateLimited(error)) return errors.rateLimited;
  if (error instanceof HttpError) return error.detail;
  return error instanceof Error ? error.message : String(error);
}
