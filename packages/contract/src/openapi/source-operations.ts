import { json, noStation, pathParameter, problem, stationParameters } from './components.ts';

const tags = ['Sources'];

/** Sources and their alerts. */
export const sourceOperations = {
  listSources: {
    tags,
    summary: 'List the sources',
    description: 'Those that provide for a station in your scopes, with their health.',
    responses: { 200: { description: 'The sources.', content: json('Sources') } },
  },
  listUnmatched: {
    tags,
    summary: 'List alerts that are tied to no resource',
    description: 'Needs scopes that have all stations of the source: these alerts may belong to any of them.',
    parameters: [pathParameter('source_name', 'The source.', 'prom-east')],
    responses: {
      200: { description: 'The alerts.', content: json('UnmatchedAlerts') },
      404: problem('No such source, or one with stations outside your scopes.'),
    },
  },
  listAlerts: {
    tags,
    summary: 'List the alerts of a resource',
    description: 'As its sources last told them. Empty for a station without a source.',
    parameters: [...stationParameters, pathParameter('resource_id', 'The resource.', 'res-1')],
    responses: {
      200: { description: 'The alerts.', content: json('Alerts') },
      404: problem('No such station or resource.'),
    },
  },
  receiveAlerts: {
    tags,
    summary: 'Receive alerts from Alertmanager',
    description:
      'For `webhook_configs` of Alertmanager. The same alert sent again changes nothing. Its next poll confirms or corrects it.',
    parameters: stationParameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', description: 'A notification of Alertmanager, version 4.' },
          example: {
            version: '4',
            status: 'firing',
            alerts: [
              {
                status: 'firing',
                labels: { alertname: 'HostDown', instance: 'vm-1:9100' },
                annotations: {},
                startsAt: '2026-01-31T08:00:00Z',
                endsAt: '0001-01-01T00:00:00Z',
                fingerprint: '4c2a0f1d9be7a311',
              },
            ],
          },
        },
      },
    },
    responses: {
      200: { description: 'Received.', content: json('ReceivedAlerts') },
      400: problem('The body is not a notification of Alertmanager.'),
      404: noStation,
      409: problem('No configured source covers the station.'),
      413: problem('The body is too large.'),
      415: problem('The content type is not application/json.'),
    },
  },
};
