import type { Sent } from '../../api/upload-fetch.ts';
import { formatBytes } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';

interface ProgressProps {
  readonly sent: Sent | undefined;
  readonly isWriting: boolean;
}

/** Upload progress, then an indeterminate wait for the server. */
export function Progress({ sent, isWriting }: ProgressProps) {
  const { import: words } = useMessages();
  const isSending = sent !== undefined && sent.bytes < sent.total;
  const atWork = isWriting ? words.writing : words.planning;
  const label = isSending ? words.sending(formatBytes(sent.bytes), formatBytes(sent.total)) : atWork;
  return (
    <div className="progress" role="status">
      <span className="numeric">{label}</span>
      {isSending ? (
        <progress aria-label={label} value={sent.bytes} max={sent.total} />
      ) : (
        <progress aria-label={label} />
      )}
    </div>
  );
}
