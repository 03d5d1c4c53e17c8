import type { IncomingMessage } from 'node:http';

/** Pieces of at least this size are passed on as they are. */
const smallBytes = 4 * 1024;
const blockBytes = 16 * 1024;

/**
 * Has the small pieces of a body copied together, until the body is read or a block is full. Node.js makes a Buffer
 * for each chunk of a chunked body and counts only its bytes: a one-byte chunk takes 300 bytes, so what Node.js counts
 * as 64 KiB takes 20 MB. The parser of Node.js hands all pieces to `push`.
 */
export function gatherBody(request: IncomingMessage): void {
  const { push, read } = request;
  let block: Buffer | undefined;
  let start = 0;
  let end = 0;
  let isTimed = false;

  const passOn = () => {
    if (start === end) return;
    const gathered = block!.subarray(start, end);
    start = end;
    push.call(request, gathered);
  };
  /** What is behind unread bytes can wait for more: whoever reads those takes it along. */
  const passOnWhenEmpty = () => {
    isTimed = false;
    if (request.readableLength === 0) passOn();
  };
  const gather = (piece: Buffer) => {
    if (block === undefined || block.length - end < piece.length) {
      passOn();
      block = Buffer.allocUnsafeSlow(blockBytes);
      start = 0;
      end = 0;
    }
    end += piece.copy(block, end);
    if (isTimed) return;
    isTimed = true;
    setImmediate(passOnWhenEmpty);
  };

  request.push = (piece: Buffer | null) => {
    if (piece !== null && piece.length < smallBytes) {
      gather(piece);
      return request.readableLength + end - start < request.readableHighWaterMark;
    }
    passOn();
    return push.call(request, piece);
  };
  request.read = (size?: number) => {
    if (size !== 0) passOn();
    return read.call(request, size);
  };
}

/** Whether a request says that a body comes with it. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
