import { isRevisionExpired, type StationAddress, type StationClient } from '@roster/client';
import { useEffect, useRef } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Icon } from '../../../components/icon.tsx';
import { GoneNotice } from '../../../components/live/gone-notice.tsx';
import { SourceBanner } from '../../../components/live/source-banner.tsx';
import { ErrorNotice, Notice } from '../../../components/notice.tsx';
import { Text } from '../../../components/text.tsx';
import { useMessages } from '../../../messages/messages.ts';
import { Link } from '../../../navigation/link.tsx';
import { resourceHref } from '../../../navigation/route.ts';
import type { List } from '../../list/table/use-list.ts';
import { Removal } from './removal.tsx';
import { ResourceAlerts, useResourceAlerts } from './resource-alerts.tsx';
import { ResourceChanges } from './resource-changes.tsx';
import { ResourceFields } from './resource-fields.tsx';
import { ResourceJson } from './resource-json.tsx';
import { useResource } from './use-resource.ts';

interface ResourcePanelProps {
  readonly station: StationClient;
  /** The panel shows the snapshot of the list beside it. */
  readonly list: Pick<List, 'revision' | 'moveOn'>;
  readonly resourceId: string;
  /** The list of the resources with this label. */
  readonly hrefOfLabel: (key: string, value: string) => string;
  readonly onClose: () => void;
}

/** The side panel of a resource: fields, alerts, changes and JSON. */
export function ResourcePanel({ station, list, resourceId, hrefOfLabel, onClose }: ResourcePanelProps) {
  const { panel: words, alerts: alertWords, common } = useMessages();
  const panel = usePanelFocus(onClose);
  const { revision, moveOn } = list;
  const { sources, alerts } = useResourceAlerts({ address: station.address, resourceId });
  const { data, error, refetch } = useResource(station, resourceId, revision);
  const isExpired = isRevisionExpired(error);
  useEffect(() => {
    if (isExpired) moveOn();
  }, [isExpired, moveOn]);
  return (
    <aside className="panel" aria-label={words.title} ref={panel} tabIndex={-1}>
      <header>
        <h2>
          <Text value={data?.display_name ?? resourceId} />
        </h2>
        <span className="spring" />
        <Link
          className="button"
          href={resourceHref(station.address, resourceId)}
          aria-label={words.page}
          title={words.page}
        >
          <Icon name="expand" />
        </Link>
        <button
          type="button"
          className="button"
          aria-label={common.close}
          title={`${common.close} (Esc)`}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </header>
      <PageWarnings address={station.address} />
      {data === null ? (
        <Notice tone="warning">
          {words.gone} <Removal station={station} resourceId={resourceId} />
        </Notice>
      ) : null}
      {error && !isExpired ? (
        <ErrorNotice error={error} onRetry={refetch} hasData={data !== undefined} />
      ) : null}
      <Tabs className="tabs">
        <TabList aria-label={words.title} className="tab-list">
          <Tab id="fields">{words.fields}</Tab>
          {sources.length > 0 && (
            <Tab id="alerts">
              {alertWords.title} {alerts.data && <span className="quiet">{alerts.data.length}</span>}
            </Tab>
          )}
          <Tab id="changes">{words.changes}</Tab>
          <Tab id="json">{words.json}</Tab>
        </TabList>
        <TabPanel id="fields">
          {data && <ResourceFields resource={data} hrefOfLabel={hrefOfLabel} />}
        </TabPanel>
        {sources.length > 0 && (
          <TabPanel id="alerts">
            <ResourceAlerts address={station.address} resourceId={resourceId} />
          </TabPanel>
        )}
        <TabPanel id="json">{data && <ResourceJson resource={data} />}</TabPanel>
        <TabPanel id="changes">
          {revision !== undefined && (
            <ResourceChanges station={station} resourceId={resourceId} revision={revision} />
          )}
        </TabPanel>
      </Tabs>
    </aside>
  );
}

/** What the page warns of, where the panel covers the page. */
function PageWarnings({ address }: { readonly address: StationAddress }) {
  return (
    <div className="page-warnings">
      <GoneNotice />
      <SourceBanner address={address} />
    </div>
  );
}

/** Takes the focus when opened and returns it when closed, to the list if it came from nowhere. Esc closes it from anywhere. */
function usePanelFocus(onClose: () => void) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
      const next = isThere ? before : document.getElementById('list');
      next?.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isInDialog =
        event.target instanceof Element && event.target.closest('[role=dialog], [role=menu]');
      if (event.key === 'Escape' && !isInDialog) onClose();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [onClose]);
  return panel;
}
