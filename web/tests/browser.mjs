// Chromium for tests and pictures: headless, and with everything off that would use the network by itself.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launch(more = []) {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`no browser at ${executablePath}: apt-get install chromium`);
  return chromium.launch({ executablePath, args: [...FLAGS, ...more] });
}

// A page with the report at `path` drawn. `page.seen` collects what must not happen: errors and requests.
export async function openReport(browser, path, { width = 1280, height = 800, dark = false, scale = 1 } = {}) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    deviceScaleFactor: scale,
  });
  page.setDefaultTimeout(180_000); // a busy machine is no failure
  page.seen = { errors: [], requests: [] };
  page.on('console', (message) => {
    const ours = message.text().startsWith('Canvas2D: Multiple readback'); // a test reading pixels
    if (['error', 'warning'].includes(message.type()) && !ours) page.seen.errors.push(message.text());
  });
  page.on('pageerror', (error) => page.seen.errors.push(String(error)));
  page.on('dialog', (dialog) => {
    page.seen.errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const url = pathToFileURL(resolve(path)).href;
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) page.seen.requests.push(request.url());
  });
  await page.goto(url);
  await page.waitForFunction(() => globalThis.walkabout || !document.getElementById('problem').hidden);
  await frame(page);
  return page;
}

// Until everything asked for is drawn and animations are over.
export async function frame(page) {
  await page.waitForTimeout(220);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
