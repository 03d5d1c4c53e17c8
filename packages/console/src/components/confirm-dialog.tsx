import { useMessages } from '../messages/messages.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { ErrorNotice } from './notice.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** What it means. */
  readonly text: string;
  /** The word on the button that does it. */
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is removed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, action, isBusy, error, onConfirm, onClose } = props;
  const { common } = useMessages();
  return (
    <DialogFrame title={title} onClose={onClose}>
      <p>{text}</p>
      {error && <ErrorNotice error={error} />}
      <div className="actions">
        <span className="spring" />
        <button type="button" className="button" onClick={onClose}>
          {common.cancel}
        </button>
        <button type="button" className="button danger-fill" disabled={isBusy} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </DialogFrame>
  );
}
