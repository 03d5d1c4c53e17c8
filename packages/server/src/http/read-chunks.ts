import type { IncomingMessage } from 'node:http';

const wakingEvents = ['readable', 'end', 'error', 'close'] as const;

/**
 * Reads a body chunk by chunk, and leaves the request open. The iterator of a stream adds listeners even for a small body
 * that has arrived as a whole; they took about a tenth of the main thread's time for a small write.
 */
export async function* readChunks(request: IncomingMessage): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk: Buffer | null = request.read();
    if (chunk !== null) yield chunk;
    else if (request.complete && request.readableLength === 0) return;
    else if (request.destroyed) throw request.errored ?? new Error('the request was aborted');
    else await wakeOf(request);
  }
}

/** Resolves when there may be more to read. */
function wakeOf(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      for (const event of wakingEvents) request.off(event, wake);
      resolve();
    };
    for (const event of wakingEvents) request.on(event, wake);
  });
}
