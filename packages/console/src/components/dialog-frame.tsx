import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface DialogFrameProps {
  readonly title: string;
  /** Absent if the dialog must not be closed. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. Esc and a click outside close it, unless it must not be closed. */
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
