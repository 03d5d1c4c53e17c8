import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface DialogFrameProps {
  readonly title: string;
  /** Absent where there is a choice to be made first. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A form in front of the page. Esc and a press beside it close it where it can be closed. */
export function DialogFrame({ title, onClose, children }: DialogFrameProps) {
  return (
    <ModalOverlay
      className="dialog-overlay"
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={(isOpen) => !isOpen && onClose?.()}
    >
      <Modal className="dialog">
        <Dialog className="dialog-form">
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
