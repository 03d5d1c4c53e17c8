import { json, problem } from './parts.ts';

/** What is about the server itself. */
export const serverOperations = {
  health: {
    tags: ['Server'],
    summary: 'Whether the process is alive',
    responses: { 200: { description: 'Alive.', content: json('Health') } },
  },
  readiness: {
    tags: ['Server'],
    summary: 'Whether the server takes requests',
    responses: {
      200: { description: 'Ready.', content: json('Health') },
      503: problem('Starting or shutting down.'),
    },
  },
  openapi: {
    tags: ['Server'],
    summary: 'This document',
    responses: {
      200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
    },
  },
};
