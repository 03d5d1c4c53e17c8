import type { Socket } from 'node:net';

/**
 * Throws away whatever arrives on a connection from now on. It is still read: closing a connection with unread bytes
 * resets it, and the client could lose the answers that it was sent.
 */
export function stopParsing(socket: Socket): void {
  readThroughStream(socket);
  socket.removeAllListeners('data');
  socket.on('data', ignore);
  socket.resume();
}

/**
 * Makes the bytes of a connection pass through its stream, where `pause` holds them back. By default they go from the
 * handle straight to the parser. Over TLS a paused handle goes on delivering what it has decrypted, and a paused
 * parser loses it: the rest of the connection is then read out of step.
 */
export function readThroughStream(socket: Socket): void {
  // A listener for data is what makes Node.js change over; it need not stay.
  socket.on('data', ignore);
  socket.removeListener('data', ignore);
}

function ignore(): void {}
