import type { StationAddress } from '@roster/client';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Forbidden } from '../../components/account/forbidden.tsx';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { navigate } from '../../navigation/location.ts';
import { importHref, stationHref } from '../../navigation/route.ts';
import { ImportForm } from './import-form.tsx';
import { StationForm } from './station-form.tsx';

/** Imports a file: station, file, plan, write. */
export function ImportPage({ address }: { readonly address: StationAddress | undefined }) {
  const { import: words } = useMessages();
  const session = useSession();
  const [run, setRun] = useState(0);
  usePageTitle(words.title);
  if (!session.may('write_resources')) return <Forbidden />;
  return (
    <main id="content" className="page">
      <header className="page-head">
        <h1>{words.title}</h1>
      </header>
      {address === undefined ? (
        <StationForm onChoose={(chosen) => navigate(importHref(chosen))} />
      ) : (
        <>
          <p className="import-target">
            <span className="quiet">{words.into}</span>{' '}
            <Link href={stationHref(address)} className="strong">
              <Text value={address.name} />
            </Link>{' '}
            <span className="quiet">
              <Text value={`${address.subscription} / ${address.resourceGroup} / ${address.zone}`} />
            </span>{' '}
            <Link href="/import">{words.otherStation}</Link>
          </p>
          <ImportForm
            key={`${stationHref(address)} ${run}`}
            address={address}
            onAgain={() => setRun(run + 1)}
          />
        </>
      )}
    </main>
  );
}
