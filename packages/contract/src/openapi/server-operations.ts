import { json, problem, text } from './parts.ts';

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
  metrics: {
    tags: ['Server'],
    summary: 'What the server does and what the inventory holds, for Prometheus',
    description: 'Where metrics have a port of their own, there is nothing here.',
    responses: {
      200: { description: 'The text format of Prometheus.', content: { 'text/plain': { schema: text } } },
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
