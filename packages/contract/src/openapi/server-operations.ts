import { json, problem, text } from './components.ts';

/** Operations on the server itself. */
export const serverOperations = {
  health: {
    tags: ['Server'],
    summary: 'Whether the process is alive',
    description: 'Needs neither the store nor a token. For liveness probes.',
    responses: { 200: { description: 'Alive.', content: json('Health') } },
  },
  readiness: {
    tags: ['Server'],
    summary: 'Whether the server accepts requests',
    description:
      'Not ready while it starts, stops, or cannot use its store. For readiness probes and load balancers.',
    responses: {
      200: { description: 'Ready.', content: json('Health') },
      503: problem('Starting or shutting down.'),
    },
  },
  metrics: {
    tags: ['Server'],
    summary: 'Metrics of the server and the inventory, for Prometheus',
    description: 'Not available here if metrics have a port of their own.',
    responses: {
      200: { description: 'Prometheus text format.', content: { 'text/plain': { schema: text } } },
    },
  },
  openapi: {
    tags: ['Server'],
    summary: 'This document',
    description: 'OpenAPI 3.1, built from the same tables as the routes.',
    responses: {
      200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
    },
  },
};
