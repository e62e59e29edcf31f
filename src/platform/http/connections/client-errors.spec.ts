import { Socket } from 'node:net';
import { handleClientError } from './client-errors.js';

describe('Input that is not HTTP', () => {
  it('gets one response and one end of the connection, in however many pieces it arrives', () => {
    const socket = new Socket(); // not connected, so that it cannot finish
    const sent: string[] = [];
    jest.spyOn(socket, 'write').mockImplementation((data) => sent.push(String(data)) > 0);
    handleClientError({ code: 'HPE_INVALID_METHOD' }, socket);
    const { length } = socket.listeners('finish');
    const ends = jest.spyOn(socket, 'destroySoon');
    for (let i = 0; i < 20; i++) handleClientError({ code: 'HPE_INVALID_METHOD' }, socket);
    socket.destroy();

    expect(sent).toEqual([expect.stringMatching(/^HTTP\/1\.1 400 Bad Request\r\n/)]);
    expect(ends).not.toHaveBeenCalled();
    expect(socket.listeners('finish')).toHaveLength(length);
  });
});
