// node tests/e2e/speedscope_opens.mjs FILE.speedscope.json EXPECTED_FRAME… [--screenshot OUT.png]
// Opens the file in the real speedscope (npm), in Chromium over a server on the loopback address, and fails unless the
// profile loads and its table of functions shows every expected frame.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { launch } from '../../web/tests/browser.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };
const WEBGL = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']; // speedscope draws with it

function serve(app, profile) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = path === '/profile.json' ? profile : join(app, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    return createReadStream(file).pipe(response);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { screenshot: { type: 'string' } } });
const [profile, ...expected] = positionals;
if (!profile || expected.length === 0) {
  console.error('usage: node tests/e2e/speedscope_opens.mjs FILE.speedscope.json EXPECTED_FRAME…');
  process.exit(2);
}
JSON.parse(readFileSync(profile, 'utf8'));
const modules = createRequire(new URL('../../web/package.json', import.meta.url));
const app = join(dirname(modules.resolve('speedscope/package.json')), 'dist/release');
const server = await serve(app, profile);
const browser = await launch(WEBGL);
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const url = encodeURIComponent(`${origin}/profile.json`);
  await page.goto(`${origin}/#profileURL=${url}&title=profile&view=sandwich`);
  // The sandwich view is a table, so its text can be read; the others are drawn.
  await page.getByText('Sandwich').waitFor({ timeout: 120_000 }); // only with a profile loaded
  await page.getByText('Sandwich').click();
  await page.locator('table').first().waitFor();
  for (const frame of expected) {
    // Rows out of sight are not in the page: let speedscope's own filter bring it into sight.
    await page.keyboard.press('Control+f');
    await page.locator('input').first().fill(frame);
    const rows = page.locator('table tr:has(td:nth-child(3))'); // total, self, name; "no match" has one cell
    await rows.filter({ hasText: frame }).first().waitFor({ timeout: 120_000 });
  }
  if (values.screenshot) await page.screenshot({ path: values.screenshot });
  assert.deepEqual(errors, []);
  console.log(`speedscope shows ${expected.join(', ')}`);
} catch (error) {
  console.error(`speedscope does not show what ${profile} should hold (${expected.join(', ')}): ${error.message}`);
  process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
}
