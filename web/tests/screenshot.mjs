// node web/tests/screenshot.mjs IN.html OUT.png [--dark] [--icicle] [--event TEXT] [--threads] [--blocked] [--kinds] [--view TEXT] [--width N] [--height N] [--scale N]
//   [--search TEXT] [--zoom TEXT] [--hover TEXT] [--keys KEY,KEY…]
// A picture of a report, for people to look at and for the README. --zoom and --hover take the heaviest frame whose
// name contains TEXT; --event the event that is called so.
import { parseArgs } from 'node:util';
import { frame, launch, openReport } from './browser.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dark: { type: 'boolean' },
    icicle: { type: 'boolean' },
    event: { type: 'string' },
    threads: { type: 'boolean' },
    blocked: { type: 'boolean' },
    kinds: { type: 'boolean' },
    view: { type: 'string' },
    width: { type: 'string', default: '1280' },
    height: { type: 'string', default: '800' },
    scale: { type: 'string', default: '1' },
    search: { type: 'string' },
    zoom: { type: 'string' },
    hover: { type: 'string' },
    keys: { type: 'string' },
  },
});
const [input, output] = positionals;
if (!input || !output) {
  console.error('usage: node web/tests/screenshot.mjs IN.html OUT.png [options]');
  process.exit(2);
}

const heaviest = (page, text) =>
  page.evaluate((wanted) => {
    const { model } = globalThis.walkabout;
    let best = -1;
    for (let box = 1; box < model.boxes.count; box++) {
      if (model.nameOf(box).includes(wanted) && (best < 0 || model.boxes.total[box] > model.boxes.total[best])) best = box;
    }
    return best;
  }, text);

const browser = await launch();
try {
  const page = await openReport(browser, input, {
    width: Number(values.width),
    height: Number(values.height),
    dark: values.dark ?? false,
    scale: Number(values.scale),
  });
  if (values.icicle) await page.click('#show-icicle');
  if (values.event) await page.click(`#events button:text-is("${values.event}")`);
  if (values.view) await page.click(`#view button:text-is("${values.view}")`);
  if (values.threads) await page.click('#tab-threads');
  if (values.blocked) await page.click('#tab-blocked');
  if (values.kinds) await page.click('#tab-kinds');
  if (values.zoom) await page.evaluate((box) => globalThis.walkabout.model.zoomTo(box), await heaviest(page, values.zoom));
  if (values.search) await page.fill('#search-text', values.search);
  await frame(page);
  for (const key of values.keys?.split(',') ?? []) await page.keyboard.press(key);
  await frame(page);
  if (values.hover) {
    const box = await heaviest(page, values.hover);
    const place = await page.evaluate((b) => globalThis.walkabout.graph.place(b), box);
    const canvas = await page.locator('#graph-canvas').boundingBox();
    await page.mouse.move(canvas.x + place.x + Math.min(place.width / 2, 60), canvas.y + place.y + 8);
    await frame(page);
  }
  await page.screenshot({ path: output });
} finally {
  await browser.close();
}
