import { type DragEvent, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Text } from '../../components/text.tsx';
import { formatBytes } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { acceptedFiles } from './record-file.ts';

interface DropZoneProps {
  readonly file: File | undefined;
  readonly isDisabled: boolean;
  readonly onChoose: (file: File) => void;
}

/** Accepts a dropped or chosen file. */
export function DropZone({ file, isDisabled, onChoose }: DropZoneProps) {
  const { import: words } = useMessages();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped !== undefined && !isDisabled) onChoose(dropped);
  };
  return (
    <label
      className={`drop-zone ${isOver ? 'over' : ''} ${file === undefined ? '' : 'chosen'}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        type="file"
        className="visually-hidden"
        accept={acceptedFiles}
        disabled={isDisabled}
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          // Lets the user choose the same file again after fixing it.
          target.value = '';
          if (chosen !== undefined) onChoose(chosen);
        }}
      />
      <Icon name={file === undefined ? 'upload' : 'file'} />
      {file === undefined ? (
        <strong>{words.drop}</strong>
      ) : (
        <strong>
          <Text value={file.name} /> <span className="quiet">{formatBytes(file.size)}</span>
        </strong>
      )}
      <span className="quiet">{file === undefined ? words.formats : words.chooseOther}</span>
    </label>
  );
}
