import { isNotFound, isRevisionMismatch, type StationAddress } from '@roster/client';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { useMessages } from '../../messages/messages.ts';
import { DropZone } from './drop-zone.tsx';
import { ImportDone } from './import-done.tsx';
import { ModeChoice } from './mode-choice.tsx';
import { PlanView } from './plan-view.tsx';
import { Progress } from './progress.tsx';
import { RecordErrors } from './record-errors.tsx';
import { readFileFormat } from './record-file.ts';
import { TemplateLinks } from './template-links.tsx';
import { type Mode, useImport } from './use-import.ts';

interface ImportFormProps {
  readonly address: StationAddress;
  /** Starts over with another file. */
  readonly onAgain: () => void;
}

/** Plans a file when it is chosen; then the plan can be applied. */
export function ImportForm({ address, onAgain }: ImportFormProps) {
  const { import: words } = useMessages();
  const session = useSession();
  const { known, plan, write, create, sent } = useImport(address);
  const [file, setFile] = useState<File>();
  const [mode, setMode] = useState<Mode>('merge');
  const start = (nextFile: File | undefined, nextMode: Mode) => {
    setFile(nextFile);
    setMode(nextMode);
    write.reset();
    plan.reset();
    if (nextFile && readFileFormat(nextFile.name)) plan.mutate({ file: nextFile, mode: nextMode });
  };
  const replan = () => start(file, mode);
  const isBusy = plan.isPending || write.isPending;

  if (write.data) return <ImportDone address={address} result={write.data} onAgain={onAgain} />;
  return (
    <div className="stack">
      {file === undefined && isNotFound(known.error) && (
        <Notice tone="info">
          {words.noStationYet} {session.may('create_stations') ? words.createsStation : words.askForStation}
        </Notice>
      )}
      <ModeChoice mode={mode} isDisabled={isBusy} onChange={(next) => start(file, next)} />
      <DropZone file={file} isDisabled={isBusy} onChoose={(next) => start(next, mode)} />
      {file === undefined && <TemplateLinks />}
      {file && !readFileFormat(file.name) && <Notice tone="error">{words.unknownFormat(file.name)}</Notice>}
      {isBusy && <Progress sent={sent} isWriting={write.isPending} />}
      {isNotFound(plan.error) ? (
        <Notice tone="info">
          <p>{words.noStationYet}</p>
          {session.may('create_stations') ? (
            <button
              type="button"
              className="button primary"
              onClick={() => create.mutate(undefined, { onSuccess: replan })}
            >
              {words.createStation}
            </button>
          ) : (
            <p>{words.askForStation}</p>
          )}
          {create.error && <ErrorNotice error={create.error} />}
        </Notice>
      ) : (
        plan.error && <RecordErrors error={plan.error} onRetry={replan} />
      )}
      {isRevisionMismatch(write.error) ? (
        <Notice tone="warning">
          <p>{words.movedOn}</p>
          <button type="button" className="button" onClick={replan}>
            {words.planAgain}
          </button>
        </Notice>
      ) : (
        write.error && <RecordErrors error={write.error} onRetry={replan} />
      )}
      {file && plan.data && !write.error && (
        <PlanView
          plan={plan.data}
          mode={mode}
          stationName={address.name}
          isBusy={isBusy}
          onApply={() => write.mutate({ file, mode, planned: plan.data })}
        />
      )}
    </div>
  );
}
