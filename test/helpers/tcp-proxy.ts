import net from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** From now on, the answer to the next COMMIT never reaches the client: the server has it, the line is cut. */
  cutNextCommit(): void
  readonly cuts: number
}

/** A proxy in front of Postgres that can cut a connection between a COMMIT and its answer. */
export async function startTcpProxy(t: { teardown(done: () => unknown): unknown }, target: URL): Promise<TcpProxy> {
  const state = { armed: false, cuts: 0 }
  const sockets = new Set<net.Socket>()
  const server = net.createServer(client => {
    const upstream = net.connect(Number(target.port), target.hostname)
    let deaf = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        if (!deaf) upstream.destroy()
      })
    }
    client.on('data', bytes => {
      if (state.armed && /\bcommit\0$/i.test(bytes.toString('latin1'))) {
        state.armed = false
        state.cuts += 1
        deaf = true
        // The server's answer proves that it has committed; only then is the client's line cut.
        upstream.once('data', () => {
          client.destroy()
          upstream.destroy()
        })
      }
      upstream.write(bytes)
    })
    upstream.on('data', bytes => {
      if (!deaf) client.write(bytes)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as net.AddressInfo).port,
    cutNextCommit() {
      state.armed = true
    },
    get cuts() {
      return state.cuts
    }
  }
}
