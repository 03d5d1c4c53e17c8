import type { StationAddress, StoredResource } from '@roster/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useStation } from '../../api/api.tsx';
import { useMessages } from '../../messages/messages.ts';
import { navigate } from '../../navigation/location.ts';
import { stationHref } from '../../navigation/route.ts';
import { OnlyNotice, onDemand } from '../../on-demand.tsx';

const ConfirmDialog = onDemand(
  async () => (await import('../../components/confirm-dialog.tsx')).ConfirmDialog,
  OnlyNotice,
);

interface RemoveButtonProps {
  readonly address: StationAddress;
  readonly resource: StoredResource;
}

/** Removes the resource from the station, after a question. */
export function RemoveButton({ address, resource }: RemoveButtonProps) {
  const { resource: words } = useMessages();
  const { manage } = useStation(address);
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => manage.remove(resource.resource_id),
    onSuccess: () => {
      navigate(stationHref(address), 'replace');
      void queries.invalidateQueries();
    },
  });
  return (
    <>
      <button type="button" className="button danger" onClick={() => setAsking(true)}>
        {words.remove}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={words.removeTitle(resource.display_name)}
          text={words.removeHelp}
          action={words.remove}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
