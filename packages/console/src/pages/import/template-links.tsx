import { saveFile } from '../../components/save-file.ts';
import { useMessages } from '../../messages/messages.ts';
import { templates } from './templates.ts';

/** Templates to download and fill in. */
export function TemplateLinks() {
  const { import: words } = useMessages();
  return (
    <p className="templates">
      <span className="quiet">{words.templates}</span>
      {(['csv', 'ndjson', 'yaml'] as const).map((format) => (
        <button
          key={format}
          type="button"
          className="text-button"
          onClick={() => saveFile(new Blob([templates[format]]), `roster-template.${format}`)}
        >
          {format.toUpperCase()}
        </button>
      ))}
    </p>
  );
}
