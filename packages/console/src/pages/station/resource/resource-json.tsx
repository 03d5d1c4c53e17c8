import { useState } from 'react';
import { copyText } from '../../../components/copy-text.ts';
import { Icon } from '../../../components/icon.tsx';
import { useMessages } from '../../../messages/messages.ts';
import type { SnapshotResource } from './use-resource.ts';

export function ResourceJson({ resource }: { readonly resource: SnapshotResource }) {
  const { station: words } = useMessages();
  const [isCopied, setCopied] = useState(false);
  const text = JSON.stringify(resource, undefined, 2);
  const copy = () => void copyText(text).then(() => setCopied(true));
  return (
    <>
      <button type="button" className="button" onClick={copy}>
        <Icon name={isCopied ? 'check' : 'copy'} />
        <span role="status">{isCopied ? words.copied : words.copy}</span>
      </button>
      <pre className="code">{text}</pre>
    </>
  );
}
