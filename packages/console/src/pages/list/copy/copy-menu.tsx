import type { StationAddress } from '@roster/client';
import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { copyText } from '../../../components/copy-text.ts';
import { MenuButton, type MenuChoice } from '../../../components/menu-button.tsx';
import { useMessages } from '../../../messages/messages.ts';
import type { View } from '../../../navigation/view-search.ts';
import { clientText, commandText, curlText } from './request-text.ts';

interface CopyMenuProps {
  /** Undefined for all stations. */
  readonly address: StationAddress | undefined;
  readonly view: View;
}

/** Copies the current list as a command or code. */
export function CopyMenu({ address, view }: CopyMenuProps) {
  const { station: words } = useMessages();
  const { choices, copied } = useCopyChoices(address, view);
  return (
    <>
      <span className="quiet" role="status">
        {copied}
      </span>
      <MenuButton label={words.copy} icon="copy" choices={choices} />
    </>
  );
}

interface CopyChoices {
  readonly choices: readonly MenuChoice[];
  /** Says so for a while once it is copied. */
  readonly copied: string;
}

export function useCopyChoices(address: StationAddress | undefined, view: View): CopyChoices {
  const { station: words } = useMessages();
  const { needsToken } = useSession();
  const [copied, setCopied] = useState('');
  const request = { origin: location.origin, address, view, needsToken };
  const texts = { curl: curlText(request), command: commandText(request), client: clientText(request) };
  const choices = Object.entries(texts).flatMap(([id, text]) => {
    if (text === undefined) return [];
    const onChoose = () => {
      void copyText(text).then(() => setCopied(words.copied));
      setTimeout(() => setCopied(''), 2_000);
    };
    return [{ id, label: words.copyAs[id as keyof typeof texts], onChoose }];
  });
  return { choices, copied };
}
