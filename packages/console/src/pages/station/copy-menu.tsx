import type { Filters, StationAddress } from '@roster/client';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { copyText } from '../../components/copy-text.ts';
import { MenuButton } from '../../components/menu-button.tsx';
import { useMessages } from '../../messages/messages.ts';
import { clientText, commandText, curlText, type ListRequest } from './request-text.ts';

interface CopyMenuProps {
  readonly address: StationAddress;
  readonly filters: Filters;
}

/** Copies the current list as a command or code. */
export function CopyMenu({ address, filters }: CopyMenuProps) {
  const { station: words } = useMessages();
  const { needsToken } = useSession();
  const [copied, setCopied] = useState('');
  const copy = (id: string, write: (request: ListRequest) => string) => ({
    id,
    label: words.copyAs[id as keyof typeof words.copyAs],
    onChoose: () => {
      void copyText(write({ origin: location.origin, address, filters, needsToken })).then(() =>
        setCopied(words.copied),
      );
      setTimeout(() => setCopied(''), 2_000);
    },
  });
  const choices = [copy('curl', curlText), copy('command', commandText), copy('client', clientText)];
  return (
    <>
      <span className="quiet" role="status">
        {copied}
      </span>
      <MenuButton label={words.copy} icon="copy" choices={choices} />
    </>
  );
}
