import type { ResourceType } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../api/api.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { DialogFrame } from '../../components/dialog-frame.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { useMessages } from '../../messages/messages.ts';
import { formatLabels, parseLabels } from './label-lines.ts';

interface TypeDialogProps {
  /** Undefined for a new one. */
  readonly type: ResourceType | undefined;
  readonly onClose: () => void;
}

/** Form for a type. The server validates it. */
export function TypeDialog({ type, onClose }: TypeDialogProps) {
  const { types: words, common, fields } = useMessages();
  const [draft, setDraft] = useState(() => draftOf(type));
  const { save, remove } = useTypeChanges(onClose);
  const [isAsking, setAsking] = useState(false);
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(draft);
  };
  return (
    <DialogFrame title={type === undefined ? words.create : words.edit} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label>
          <span>{fields.type_key}</span>
          <input
            className="mono"
            required
            readOnly={type !== undefined}
            placeholder="resource_type.compute.vm"
            value={draft.key}
            onChange={({ target }) => change({ key: target.value })}
          />
        </label>
        <label>
          <span>{words.labelLines}</span>
          <textarea
            rows={4}
            placeholder={'en: Virtual machine\nzh: 虚拟机'}
            value={draft.labels}
            onChange={({ target }) => change({ labels: target.value })}
          />
        </label>
        <label>
          <span>{fields.product}</span>
          <input
            className="mono"
            placeholder="product.compute"
            value={draft.product}
            onChange={({ target }) => change({ product: target.value })}
          />
        </label>
        <label className="switch">
          <input
            type="checkbox"
            checked={draft.alertable}
            onChange={({ target }) => change({ alertable: target.checked })}
          />
          <span>{fields.alertable}</span>
        </label>
        <p className="quiet">{words.defaultsHelp}</p>
        {save.error && <ErrorNotice error={save.error} />}
        <div className="actions">
          {type !== undefined && (
            <button type="button" className="button danger" onClick={() => setAsking(true)}>
              {words.delete}
            </button>
          )}
          <span className="spring" />
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="submit" className="button primary" disabled={save.isPending}>
            {common.save}
          </button>
        </div>
      </form>
      {type !== undefined && isAsking && (
        <ConfirmDialog
          title={words.deleteTitle(type.label)}
          text={words.deleteHelp}
          action={words.delete}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(type.key)}
          onClose={() => setAsking(false)}
        />
      )}
    </DialogFrame>
  );
}

interface Draft {
  readonly key: string;
  readonly labels: string;
  readonly product: string;
  readonly alertable: boolean;
  /** Version of the edited type; null for a new one. */
  readonly version: string | null;
}

function draftOf(type: ResourceType | undefined): Draft {
  const { key = '', labels = {}, product = '', alertable = true, version = null } = type ?? {};
  return { key, labels: formatLabels(labels), product, alertable, version };
}

/** Labels appear in every list, so everything is reloaded. */
function useTypeChanges(onDone: () => void) {
  const { manage } = useClient();
  const queries = useQueryClient();
  const onSuccess = async () => {
    await queries.invalidateQueries();
    onDone();
  };
  const save = useMutation({
    mutationFn: ({ key, labels, product, alertable, version }: Draft) => {
      const type = { labels: parseLabels(labels), product: product.trim(), alertable };
      return manage.putType(key.trim(), type, { ifVersion: version });
    },
    onSuccess,
  });
  const remove = useMutation({ mutationFn: (key: string) => manage.deleteType(key), onSuccess });
  return { save, remove };
}
