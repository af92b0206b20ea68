using System.Runtime.CompilerServices;

namespace Naming
{
    public static class Asynchronous
    {
        public static async Task<int> OuterAsync(int count)
        {
            int sum = 0;
            for (int i = 0; i < count; i++)
            {
                sum += await InnerAsync(i);
                Spin.For(15);
            }
            return sum;
        }

        static async Task<int> InnerAsync(int i)
        {
            await Task.Yield();
            Spin.For(15);
            return i;
        }
    }
}
