import type { CreatedToken } from '@roster/client';
import { useState } from 'react';
import { copyText } from '../../components/copy-text.ts';
import { DialogFrame } from '../../components/dialog-frame.tsx';
import { Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';

interface CreatedTokenDialogProps {
  readonly token: CreatedToken;
  readonly onClose: () => void;
}

/** Shows a new token once. A click outside does not close it, which would lose the token. */
export function CreatedTokenDialog({ token, onClose }: CreatedTokenDialogProps) {
  const { tokens: words, station } = useMessages();
  const [isCopied, setCopied] = useState(false);
  const copy = () => void copyText(token.token).then(() => setCopied(true));
  return (
    <DialogFrame title={words.madeTitle}>
      <p>
        <Text value={token.name} className="strong" />
      </p>
      <div className="secret">
        <code>{token.token}</code>
        <button type="button" className="button primary" onClick={copy}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          <span>{isCopied ? station.copied : station.copy}</span>
        </button>
      </div>
      <Notice tone="warning">{words.once}</Notice>
      <p className="quiet">{words.howToUse}</p>
      <pre className="code">{`curl -H 'Authorization: Bearer …' ${location.origin}/roster/v1/stations`}</pre>
      <div className="actions">
        <span className="spring" />
        <button type="button" className="button" onClick={onClose}>
          {words.haveIt}
        </button>
      </div>
    </DialogFrame>
  );
}
