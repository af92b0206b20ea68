using System.Net;
using System.Net.Sockets;
using static Situations;

namespace Io;

static class Network
{
    static Socket Tcp() => new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    static Socket Listener(int backlog)
    {
        Socket listener = Tcp();
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(backlog);
        return listener;
    }

    // To somebody who listens and to nobody, in turn.
    public static long Connect(Func<bool> running)
    {
        using Socket listener = Listener(128);
        var nobody = new IPEndPoint(IPAddress.Loopback, 1);
        long rounds = 0;
        for (; running(); rounds++)
        {
            using (Socket socket = Tcp())
            {
                socket.LingerState = new LingerOption(true, 0);  // no port is left waiting
                socket.Connect(listener.LocalEndPoint!);
                using Socket accepted = listener.Accept();
                Check(accepted.Connected, "not connected");
            }
            using Socket refused = Tcp();
            try
            {
                refused.Connect(nobody);
                Check(false, "connected to nobody");
            }
            catch (SocketException e)
            {
                Check(e.SocketErrorCode == SocketError.ConnectionRefused, $"connect: {e.SocketErrorCode}");
            }
        }
        return rounds;
    }

    public static long Timeouts(Func<bool> running)
    {
        using Socket listener = Listener(1);
        using Socket client = Tcp();
        client.Connect(listener.LocalEndPoint!);
        using Socket server = listener.Accept();
        client.ReceiveTimeout = 2;
        var buffer = new byte[64];
        long rounds = 0;
        for (; running(); rounds++)
        {
            Spin.Chunk((uint)rounds);
            try
            {
                client.Receive(buffer);
                Check(false, "received what nobody sent");
            }
            catch (SocketException e)
            {
                Check(e.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock, $"receive: {e.SocketErrorCode}");
            }
            server.Send(buffer);
            client.ReceiveTimeout = 2_000;
            int got = 0;
            while (got < buffer.Length) got += client.Receive(buffer, got, buffer.Length - got, SocketFlags.None);
            client.ReceiveTimeout = 2;
        }
        return rounds;
    }

    public static async Task<long> Echo(Func<bool> running)
    {
        using Socket listener = Listener(1);
        using Socket client = Tcp();
        await client.ConnectAsync(listener.LocalEndPoint!);
        Socket server = await listener.AcceptAsync();
        Task echo = Task.Run(async () =>
        {
            var buffer = new byte[1024];
            int size;
            while ((size = await server.ReceiveAsync(buffer)) > 0) await server.SendAsync(buffer.AsMemory(0, size));
            server.Dispose();
        });
        var sent = new byte[100];
        var received = new byte[100];
        long rounds = 0;
        for (; running(); rounds++)
        {
            Array.Fill(sent, (byte)rounds);
            await client.SendAsync(sent);
            int got = 0;
            while (got < received.Length) got += await client.ReceiveAsync(received.AsMemory(got));
            Check(sent.AsSpan().SequenceEqual(received), "the echo is another");
        }
        client.Shutdown(SocketShutdown.Both);
        await echo;
        return rounds;
    }
}
