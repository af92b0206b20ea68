// Builds one HTML file with nothing outside it: script and style are put inline, and a content security policy
// allows exactly these two (by hash) and forbids every connection.
import { createHash } from 'node:crypto';
import { defineConfig } from 'vitest/config';
import type { Plugin } from 'vite';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let page = '';
      let script = '';
      let style = '';
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') script += part.code;
        else if (name.endsWith('.css')) style += String(part.source);
        else if (name.endsWith('.html')) page = String(part.source);
        if (!name.endsWith('.html')) delete bundle[name];
      }
      script = `\n${script.replaceAll('</script', '<\\/script').trim()}\n`;
      style = `\n${style.trim()}\n`;
      const policy = [
        "default-src 'none'",
        `script-src ${hash(script)}`,
        `style-src ${hash(style)}`,
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      page = page
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('<!-- policy -->', () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace('</head>', () => `<style>${style}</style>\n</head>`)
        .replace('</body>', () => `<script type="module">${script}</script>\n</body>`);
      for (const part of Object.values(bundle)) if (part.type === 'asset') part.source = page;
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [singleFile()],
  build: {
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
  },
  test: { include: ['src/**/*.test.ts'], watch: false },
});
