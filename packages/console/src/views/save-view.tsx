import { type FormEvent, useState } from 'react';
import { useSession } from '../api/session.ts';
import { ErrorNotice } from '../components/notice.tsx';
import { useMessages } from '../messages/messages.ts';
import { useViewChanges, useViews } from './use-views.ts';

interface SaveViewProps {
  /** The path of the station; null for all stations. */
  readonly station: string | null;
  readonly query: string;
}

/** Saves the list on the screen under a name. */
export function SaveView({ station, query }: SaveViewProps) {
  const { views: words } = useMessages();
  const session = useSession();
  const views = useViews() ?? [];
  const { save } = useViewChanges();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const isKnown = views.some((view) => view.name === name.trim() && view.shared === shared);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name: name.trim(), station, query, shared }, { onSuccess: () => setName('') });
  };
  return (
    <form className="stack save-view" onSubmit={submit}>
      <label>
        <span>{words.nameLabel}</span>
        <input
          required
          maxLength={200}
          value={name}
          placeholder={words.nameHint}
          onChange={({ target }) => setName(target.value)}
        />
      </label>
      {session.may('share_views') && (
        <label className="switch">
          <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
          <span>{words.share}</span>
        </label>
      )}
      {save.error && <ErrorNotice error={save.error} />}
      <div className="actions">
        <button type="submit" className="button primary" disabled={save.isPending}>
          {isKnown ? words.replace : words.save}
        </button>
        <span role="status" className="quiet">
          {save.isSuccess && name === '' ? words.saved : ''}
        </span>
      </div>
    </form>
  );
}
