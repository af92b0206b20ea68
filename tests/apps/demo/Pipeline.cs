using System.Security.Cryptography;
using System.Text;
using System.Threading.Channels;

namespace Demo;

/// Async tasks on the thread pool: documents flow through a channel and are hashed and indexed.
public static class Pipeline
{
    public static async Task<long> RunAsync(Func<bool> running)
    {
        Channel<string> documents = Channel.CreateBounded<string>(16);
        Task producer = ProduceAsync(documents.Writer, running);
        long[] done = await Task.WhenAll(ConsumeAsync(documents.Reader), ConsumeAsync(documents.Reader));
        await producer;
        return done.Sum();
    }

    static async Task ProduceAsync(ChannelWriter<string> writer, Func<bool> running)
    {
        for (int i = 0; running(); i++) await writer.WriteAsync(Compose(i));
        writer.Complete();
    }

    static string Compose(int seed)
    {
        var random = new Random(seed);
        return string.Join(' ', Enumerable.Range(0, 400).Select(_ => $"w{random.Next(300):x}"));
    }

    static async Task<long> ConsumeAsync(ChannelReader<string> reader)
    {
        long done = 0;
        var index = new Index<string>();
        await foreach (string document in reader.ReadAllAsync())
        {
            index.Add(Fingerprint(document), document.Split(' '));
            if (++done % 500 == 0) index = new Index<string>();
            if (done % 16 == 0) await Task.Yield();
        }
        return done;
    }

    static string Fingerprint(string document) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(document)));
}

/// An inverted index: which documents hold a word.
public sealed class Index<TDocument>
{
    readonly Dictionary<string, List<TDocument>> _entries = [];

    public void Add(TDocument document, IEnumerable<string> words)
    {
        foreach (string word in words.Distinct())
        {
            if (!_entries.TryGetValue(word, out List<TDocument>? documents)) _entries[word] = documents = [];
            documents.Add(document);
        }
    }
}
