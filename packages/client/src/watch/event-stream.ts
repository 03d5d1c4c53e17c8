import type { OpenAnswer } from '../http/transport.ts';

export interface ServerSentEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** The server-sent events of a response. */
export async function* readEvents({ attempt, response }: OpenAnswer): AsyncGenerator<ServerSentEvent> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const chunk = await attempt.next(async () => reader?.read());
      if (chunk === undefined || chunk.done) return;
      const blocks = (rest + decoder.decode(chunk.value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop()!;
      for (const block of blocks) yield parseEvent(block);
    }
  } finally {
    attempt.close();
    await reader?.cancel().catch(() => {});
  }
}

function parseEvent(block: string): ServerSentEvent {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  }
  return { event, id, data: data.join('\n') };
}
