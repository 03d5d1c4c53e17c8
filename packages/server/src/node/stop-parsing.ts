import type { Socket } from 'node:net';

/**
 * Discards everything that arrives on a connection from now on. It is still read: closing a connection with unread
 * bytes resets it, and the client could lose its answers.
 */
export function stopParsing(socket: Socket): void {
  readThroughStream(socket);
  socket.removeAllListeners('data');
  socket.on('data', ignore);
  socket.resume();
}

/**
 * Makes the bytes of a connection pass through its stream, where `pause` holds them back. By default, they go straight
 * from the handle to the parser. With TLS, a paused handle still delivers decrypted bytes, and a paused parser would
 * lose them.
 */
export function readThroughStream(socket: Socket): void {
  // A data listener makes Node.js switch; it need not stay.
  socket.on('data', ignore);
  socket.removeListener('data', ignore);
}

function ignore(): void {}
