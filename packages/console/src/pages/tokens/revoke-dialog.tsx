import { type Token, tokensMadeBy } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../api/api.tsx';
import { DialogFrame } from '../../components/dialog-frame.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { Text } from '../../components/text.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';

interface RevokeDialogProps {
  readonly token: Token;
  /** All tokens, oldest first. */
  readonly tokens: readonly Token[];
  readonly onClose: () => void;
}

export function RevokeDialog({ token, tokens, onClose }: RevokeDialogProps) {
  const { tokens: words, common } = useMessages();
  const { manage } = useClient();
  const { language } = usePreferences();
  const queries = useQueryClient();
  const [cascade, setCascade] = useState(false);
  const made = tokensMadeBy(token.id, tokens);
  const revoke = useMutation({
    mutationFn: () => manage.revokeToken(token.id, { cascade }),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
  return (
    <DialogFrame title={words.revokeTitle} onClose={onClose}>
      <p>
        <Text value={token.name} className="strong" /> <code className="quiet">{token.id}</code>
      </p>
      <p>{words.revokeHelp}</p>
      {made.length > 0 && (
        <label className="switch">
          <input type="checkbox" checked={cascade} onChange={({ target }) => setCascade(target.checked)} />
          <span>{words.revokeMade(made.length, formatCount(made.length, language))}</span>
        </label>
      )}
      {revoke.error && <ErrorNotice error={revoke.error} />}
      <div className="actions">
        <span className="spring" />
        <button type="button" className="button" onClick={onClose}>
          {common.cancel}
        </button>
        <button
          type="button"
          className="button danger-fill"
          disabled={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          {words.revoke}
        </button>
      </div>
    </DialogFrame>
  );
}
