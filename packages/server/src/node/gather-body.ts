import type { IncomingMessage } from 'node:http';

/** Pieces of at least this size are passed on as they are. */
const smallBytes = 4 * 1024;
const blockBytes = 16 * 1024;

/**
 * Copies small pieces of a body into blocks until they are read. Node.js makes a Buffer for each chunk and counts only
 * its bytes, but a one-byte chunk takes 300: 64 KiB would take 20 MB. Its parser passes all pieces to `push`.
 */
export function gatherBody(request: IncomingMessage): void {
  const { push, read } = request;
  const announced = Number(request.headers['content-length']);
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
  /** While there are unread bytes, it can wait for more: the next read takes all. */
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
    if (piece !== null && piece.length < smallBytes && piece.length !== announced) {
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

/** Whether the headers of a request announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
