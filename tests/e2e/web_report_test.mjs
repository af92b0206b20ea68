// The HTML report in Chromium, over profiles made up by web_profile (environment WEB_PROFILE: its path).
// What a reader sees is compared with numbers worked out here or known from the made-up profile.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { frame, launch, openReport } from '../../web/tests/browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'walkabout-web-'));
const reports = {};
let browser;

before(async () => {
  for (const [kind, ...size] of [['small'], ['wall'], ['events'], ['traced'], ['lines'], ['hostile'], ['empty'], ['large', '100000']]) {
    reports[kind] = join(folder, `${kind}.html`);
    execFileSync(process.env.WEB_PROFILE, [kind, reports[kind], ...size], { stdio: 'inherit' });
  }
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

// Runs `body` with the report open; afterwards nothing may have gone wrong or out.
async function withReport(kind, options, body) {
  const page = await openReport(browser, reports[kind], options);
  try {
    await body(page);
    assert.deepEqual(page.seen.errors, []);
    assert.deepEqual(page.seen.requests, []);
  } finally {
    await page.close();
  }
}

// Of a name its namespace is a block of its own.
const text = async (page, selector) => (await page.locator(selector).innerText()).replaceAll('.\n', '.').replaceAll(/\s+/g, ' ').trim();

// Box number of the heaviest frame with this name.
const boxOf = (page, name) =>
  page.evaluate((wanted) => {
    const { model } = globalThis.walkabout;
    let best = -1;
    for (let box = 1; box < model.boxes.count; box++) {
      if (model.nameOf(box) === wanted && (best < 0 || model.boxes.total[box] > model.boxes.total[best])) best = box;
    }
    return best;
  }, name);

async function placeOf(page, name) {
  const box = await boxOf(page, name);
  assert.ok(box >= 0, `no box ${name}`);
  const place = await page.evaluate((b) => globalThis.walkabout.graph.place(b), box);
  const canvas = await page.locator('#graph-canvas').boundingBox();
  return { x: canvas.x + place.x + place.width / 2, y: canvas.y + place.y + place.height / 2, ...{ width: place.width } };
}

async function hover(page, name) {
  const { x, y } = await placeOf(page, name);
  await page.mouse.move(x, y);
  return text(page, '#tooltip');
}

async function zoom(page, name) {
  const { x, y } = await placeOf(page, name);
  await page.mouse.click(x, y);
  await frame(page);
}

async function search(page, words) {
  await page.fill('#search-text', words);
  await frame(page);
  return text(page, '#search-result');
}

// The colour on the canvas in the middle of a box, beside its name: "r,g,b".
async function colourOf(page, name) {
  const box = await boxOf(page, name);
  return page.evaluate((b) => {
    const { graph } = globalThis.walkabout;
    const { x, y, width, height } = graph.place(b);
    const canvas = document.getElementById('graph-canvas');
    const ratio = canvas.width / canvas.clientWidth;
    const at = [(x + width - 4) * ratio, (y + height - 2) * ratio];
    return [...canvas.getContext('2d').getImageData(at[0], at[1], 1, 1).data].slice(0, 3).join();
  }, box);
}

const trail = (page) => page.locator('#breadcrumb button').allInnerTexts();

const PARSE = 'Demo.Parser.Parse(System.ReadOnlySpan<char>)';
// What the source list shows of a line.
const sourceLine = async (page, line) => {
  const row = page.locator('#source-list .row.code').filter({ has: page.locator('.line', { hasText: new RegExp(`^\\??${line}$`) }) });
  return (await row.innerText()).replaceAll(/\s+/g, ' ').trim();
};
const shownLines = (page) => page.locator('#source-list .row.code:not(.gap) .line').allInnerTexts();

describe('a report with source lines', () => {
  test('lines do not split the boxes of the graph', async () => {
    await withReport('lines', {}, async (page) => {
      const shown = await hover(page, PARSE);
      assert.match(shown, /Total 900 ms 90\.0% 90 samples Self 600 ms 60\.0% 60 samples/);
      assert.match(shown, /Parser\.cs:12 77\.8% Parser\.cs:14 or 15 22\.2%/);
      assert.match(await hover(page, 'Demo.Renderer.Render()'), /Renderer\.cs:30 Total/);
      assert.doesNotMatch(await hover(page, 'qsort'), /\.cs/);
      assert.match(await text(page, '#functions-list .row >> nth=0'), /^Demo\.Parser\.Parse.* Demo\.dll · Parser\.cs:12 \+1/);
    });
  });

  for (const dark of [false, true]) {
    test(`the source has self and total of each line, ${dark ? 'dark' : 'light'}`, async () => {
      await withReport('lines', { dark }, async (page) => {
        await hover(page, PARSE);
        await page.keyboard.press('s');
        await frame(page);
        assert.equal(await page.getAttribute('#tab-source', 'aria-selected'), 'true');
        assert.match(await text(page, '#source-name'), /^Parser\.Parse Parser\.cs$/);
        assert.match(await text(page, '#source-note'), /^Of its 200 lines only the methods/);
        assert.match(await sourceLine(page, 12), /^40\.0% 70\.0% 12 span\.Sort\(\); \/\/ <\/script>/);
        assert.equal(await sourceLine(page, 14), '≤ 20.0% ≤ 20.0% ? 14 line 14;');
        assert.equal(await sourceLine(page, 15), '≤ 20.0% ≤ 20.0% ? 15 line 15;');
        assert.equal(await sourceLine(page, 16), '16 line 16;');
        assert.match(await sourceLine(page, 13), /\\u\{202E\} turned around/);
        assert.match(await page.locator('#source-list .row.current').getAttribute('aria-label'), /^line 12: self 40\.0%, total 70\.0%/);
        assert.match(await page.locator('.row.code', { hasText: 'line 14' }).getAttribute('title'), /one line of 14 or 15/);
        assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
        // Text can be told from what is behind it.
        const [colour, behind] = await page.evaluate(() => {
          const row = document.querySelector('.row.code.mine .text');
          return [getComputedStyle(row).color, getComputedStyle(document.getElementById('panel')).backgroundColor];
        });
        assert.notEqual(colour, behind);
      });
    });
  }

  test('the source follows what is chosen and filtered', async () => {
    await withReport('lines', {}, async (page) => {
      await page.keyboard.press('s');
      await frame(page);
      assert.match(await text(page, '#source-note'), /^Choose a function/);
      await page.evaluate((box) => globalThis.walkabout.model.select(box), await boxOf(page, PARSE));
      await frame(page);
      assert.match(await sourceLine(page, 12), /^40\.0% 70\.0%/);
      await page.evaluate((box) => globalThis.walkabout.model.zoomTo(box), await boxOf(page, PARSE));
      await frame(page);
      assert.match(await sourceLine(page, 12), /^44\.4% 77\.8%/); // of what is zoomed to
      await page.click('.chip[data-category=native]'); // qsort is its caller's
      await frame(page);
      assert.match(await sourceLine(page, 12), /^77\.8% 77\.8%/);
      await page.evaluate((box) => globalThis.walkabout.model.select(box), await boxOf(page, 'Demo.Renderer.Render()'));
      await page.keyboard.press('s');
      assert.equal(await page.getAttribute('#tab-functions', 'aria-selected'), 'true'); // and away again
    });
  });

  test('without its text a file has the lines that took something, and what to do', async () => {
    await withReport('lines', {}, async (page) => {
      await hover(page, 'Demo.Renderer.Render()');
      await page.keyboard.press('s');
      await frame(page);
      assert.deepEqual(await shownLines(page), ['30']);
      assert.match(await sourceLine(page, 30), /^10\.0% 10\.0% 30$/);
      const note = await text(page, '#source-note');
      assert.match(note, /the file differs from the one that was compiled\. It is from https:\/\/localhost\/c0ffee\/Renderer\.cs/);
      assert.equal(await page.getAttribute('#source-note a', 'href'), 'https://localhost/c0ffee/Renderer.cs');
      await page.evaluate((box) => globalThis.walkabout.model.select(box), await boxOf(page, 'Demo.Program.Main(string[])'));
      await frame(page);
      assert.deepEqual(await shownLines(page), ['5']);
      assert.match(await text(page, '#source-note'), /walkabout convert --source/);
      await page.evaluate((box) => globalThis.walkabout.model.select(box), await boxOf(page, 'qsort'));
      await frame(page);
      assert.match(await text(page, '#source-note'), /No source line of this frame is known/);
      assert.equal(await page.isVisible('#source-list'), false);
    });
  });

  test('the source is reached and read with keys alone, also where the page is narrow', async () => {
    await withReport('lines', { width: 420, height: 700 }, async (page) => {
      await page.focus('#graph-canvas');
      for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowUp'); // all, start_thread, Main, Parse
      await page.keyboard.press('s');
      await frame(page);
      assert.match(await text(page, '#source-name'), /^Parser\.Parse/);
      await page.focus('#source-list');
      const current = () => page.locator('#source-list .row.current .line').textContent();
      assert.equal(await current(), '12');
      await page.keyboard.press('Enter');
      await frame(page);
      assert.equal(await current(), '?14');
      await page.keyboard.press('Shift+Enter');
      await frame(page);
      assert.equal(await current(), '12');
      await page.keyboard.press('ArrowDown');
      await frame(page);
      assert.equal(await current(), '13');
      const { x, width } = await page.locator('#panel').boundingBox();
      assert.ok(x >= 0 && x + width <= 420.5, `${x} ${width}`);
      await page.keyboard.press('s');
      await frame(page);
      assert.equal(await page.getAttribute('#tab-functions', 'aria-selected'), 'true');
    });
  });

  test('a button leads from a function to its source; without lines there is none', async () => {
    await withReport('lines', {}, async (page) => {
      await page.hover('#functions-list .row >> nth=0');
      await page.click('#functions-list .row >> nth=0 >> .only');
      await frame(page);
      assert.match(await text(page, '#source-name'), /^Parser\.Parse/);
      assert.equal(await page.locator('#source-list .row.current .line').innerText(), '12');
    });
    await withReport('small', {}, async (page) => {
      assert.equal(await page.isVisible('#tab-source'), false);
      await page.keyboard.press('s');
      assert.equal(await page.getAttribute('#tab-functions', 'aria-selected'), 'true');
      assert.equal(await page.locator('#functions-list .only').count(), 0);
    });
  });
});

describe('a report whose numbers are known', () => {
  test('the header tells what was recorded and how well', async () => {
    await withReport('small', {}, async (page) => {
      assert.equal(await text(page, '#command'), 'dotnet Demo.dll --workers 2');
      assert.match(await page.title(), /^dotnet Demo\.dll/);
      const facts = await text(page, '#facts');
      const want = 'Runtime .NET 10.0.12 Duration 10.00 s CPU time 1.00 s Samples 100 Whole stacks 100% Dropped 0';
      assert.equal(facts, want);
      assert.equal(await page.isVisible('#warnings'), false);
    });
  });

  test('boxes are drawn in the colours of the legend', async () => {
    await withReport('small', {}, async (page) => {
      const managed = await colourOf(page, 'Demo.Renderer.Render()');
      const native = await colourOf(page, 'start_thread');
      const gc = await colourOf(page, '[libclrgc.so]');
      const colours = await page.evaluate(() => {
        const channels = (colour) => {
          const context = document.createElement('canvas').getContext('2d');
          context.fillStyle = colour;
          context.fillRect(0, 0, 1, 1);
          return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
        };
        const { box } = globalThis.walkabout.theme.palette;
        return box.map(channels);
      });
      assert.ok(colours.slice(0, 5).includes(managed), managed);
      assert.ok(colours.slice(5, 10).includes(native), native);
      assert.ok(colours.slice(25, 30).includes(gc), gc);
    });
  });

  test('the tooltip has names, module, kind, self and total', async () => {
    await withReport('small', {}, async (page) => {
      const shown = await hover(page, 'Demo.Parser.Parse(System.ReadOnlySpan<char>)');
      assert.match(shown, /^Demo\.Parser\.Parse\(System\.ReadOnlySpan<char>\) Demo\.Parser\+<Parse>d__5\.MoveNext/);
      assert.match(shown, /Demo\.dll · managed code/);
      assert.match(shown, /Total 300 ms 30\.0% 30 samples Self 140 ms 14\.0% 14 samples/);
      assert.match(await hover(page, '[libclrgc.so]'), /native code, garbage collection Total 100 ms 10\.0% 10 samples/);
      await page.mouse.move(5, 5);
      assert.equal(await page.isVisible('#tooltip'), false);
      await hover(page, 'qsort');
      await page.keyboard.press('i'); // another picture under the pointer
      assert.equal(await page.isVisible('#tooltip'), false);
      await hover(page, 'qsort');
      await page.evaluate(() => globalThis.walkabout.model.setFilter({ from: 100 })); // other numbers
      assert.equal(await page.isVisible('#tooltip'), false);
    });
  });

  test('a click zooms, the breadcrumb shows the way and leads back', async () => {
    await withReport('small', {}, async (page) => {
      const before = (await placeOf(page, 'qsort')).width;
      await zoom(page, 'Demo.Parser.Parse(System.ReadOnlySpan<char>)');
      const width = await page.evaluate(() => globalThis.walkabout.graph.view.width);
      const after = (await placeOf(page, 'qsort')).width;
      assert.ok(Math.abs(after - (width * 16) / 30) < 1, `${after} of ${width}`);
      assert.ok(after > 3 * before);
      assert.equal(await page.locator('#functions-list .row').count(), 2); // of what is zoomed to
      assert.match(await text(page, '#functions-list .row >> nth=0'), /^qsort libc\.so\.6 53\.3% 160 ms 53\.3% 160 ms$/);
      assert.deepEqual(await trail(page), ['all', 'start_thread', 'Program.Main', 'Parser.Parse']);
      assert.match(await hover(page, 'qsort'), /53\.3% of the zoomed frame/);
      await page.click('#breadcrumb button:text("Program.Main")');
      assert.deepEqual(await trail(page), ['all', 'start_thread', 'Program.Main']);
      await page.click('#breadcrumb button:text("all")');
      await frame(page);
      assert.ok(Math.abs((await placeOf(page, 'qsort')).width - before) < 1);
    });
  });

  test('a search says its share, and where', async () => {
    await withReport('small', {}, async (page) => {
      assert.equal(await search(page, 'render'), '60.0% · 600 ms · 2');
      assert.equal(await search(page, 'demo.'), '90.0% · 900 ms · 2'); // Main, and Render of the worker
      assert.equal(await search(page, 'MoveNext'), '30.0% · 300 ms · 1'); // a raw name
      assert.equal(await search(page, 'no such thing'), 'no match');
      await page.click('#search-regex');
      assert.equal(await search(page, '^(qsort|.*libclrgc.*)$'), '26.0% · 260 ms · 2');
      assert.equal(await search(page, '('), 'not a regular expression');
      const unmatched = await colourOf(page, 'start_thread');
      assert.equal(await search(page, 'start_'), '100% · 1.00 s · 1');
      assert.notEqual(await colourOf(page, 'start_thread'), unmatched);
      await search(page, '');
      assert.equal(await colourOf(page, 'start_thread'), unmatched);
    });
  });

  test('threads are chosen one by one and together', async () => {
    await withReport('small', {}, async (page) => {
      await page.click('#tab-threads');
      await frame(page);
      const names = await page.locator('#threads-list .name').allInnerTexts();
      assert.deepEqual(names, ['.NET Main', 'Worker', '.NET Server GC']); // by CPU; the idle one has none
      assert.equal(await text(page, '#threads-count'), '3 of 4 threads sampled');
      const render = () => hover(page, 'Demo.Renderer.Render()');
      await page.click('#threads-list .row:has-text("Worker") .name');
      assert.equal(await text(page, '#threads-count'), '2 of 3 sampled chosen');
      assert.match(await render(), /Total 300 ms 42\.9% 30 samples/);
      await page.hover('#threads-list .row:has-text("Worker")');
      await page.click('#threads-list .row:has-text("Worker") .only');
      await frame(page);
      assert.match(await render(), /Total 300 ms 100% 30 samples/);
      assert.equal(await boxOf(page, 'qsort'), -1);
      await page.click('#threads-none');
      assert.match(await text(page, '#empty'), /No samples match/);
      await page.click('#threads-all');
      assert.equal(await page.isVisible('#empty'), false);
      assert.ok((await boxOf(page, 'qsort')) > 0);
    });
  });

  test('dragging over the time strip picks a range', async () => {
    await withReport('small', {}, async (page) => {
      const strip = await page.locator('#strip').boundingBox();
      const x = (seconds) => strip.x + (strip.width * seconds) / 10;
      await page.mouse.move(x(4.95), strip.y + 20);
      await page.mouse.down();
      await page.mouse.move(x(8), strip.y + 20, { steps: 5 });
      await page.mouse.move(strip.x + strip.width - 1, strip.y + 20, { steps: 5 });
      await page.mouse.up();
      await frame(page);
      assert.match(await text(page, '#range'), /^4\.9\d s – 10\.00 s \(5\.0\d s\)$/);
      // From sample 50 on: 30 of the worker, 5 of GC, 15 of main that all are Render.
      assert.match(await hover(page, '[libclrgc.so]'), /Total 50\.0 ms 10\.0% 5 samples/);
      assert.equal(await boxOf(page, 'qsort'), -1);
      assert.match(await text(page, '.chip[data-category=gc]'), /GC 10\.0%/);
      await page.click('#tab-threads');
      await frame(page);
      assert.match(await text(page, '#threads-list .row >> nth=0'), /Worker .* 60\.0% 300 ms$/);
      // The end handle by keyboard, then the whole again.
      await page.locator('.handle').nth(1).focus();
      for (let i = 0; i < 25; i++) await page.keyboard.press('ArrowLeft');
      await frame(page);
      assert.match(await text(page, '#range'), /– 7\.[45]\d s/);
      assert.match(await page.locator('.handle').nth(1).getAttribute('aria-valuetext'), /^7\.[45]\d s$/);
      await page.click('#range-clear');
      await frame(page);
      assert.ok((await boxOf(page, 'qsort')) > 0);
    });
  });

  test('the legend folds kinds and leaves out GC', async () => {
    await withReport('small', {}, async (page) => {
      await page.click('.chip[data-category=native]');
      await frame(page);
      assert.equal(await boxOf(page, 'qsort'), -1);
      assert.match(await hover(page, 'Demo.Parser.Parse(System.ReadOnlySpan<char>)'), /Self 300 ms 30\.0%/);
      await page.click('.chip[data-category=native]');
      await page.click('.chip[data-category=gc]');
      await frame(page);
      assert.equal(await boxOf(page, '[libclrgc.so]'), -1);
      assert.match(await hover(page, 'Demo.Parser.Parse(System.ReadOnlySpan<char>)'), /Total 300 ms 33\.3%/);
      assert.equal(await page.getAttribute('.chip[data-category=gc]', 'aria-pressed'), 'false');
    });
  });

  test('the table of functions sorts, and a click shows the function', async () => {
    await withReport('small', {}, async (page) => {
      const first = () => text(page, '#functions-list .row >> nth=0');
      assert.match(await first(), /^Demo\.Renderer\.Render\(\) Demo\.dll 60\.0% 600 ms 60\.0% 600 ms$/);
      await page.click('#sort-total');
      await frame(page);
      assert.match(await first(), /^start_thread libc\.so\.6 0% 0 µs 100% 1\.00 s$/);
      await page.click('#sort-total');
      await frame(page);
      assert.match(await first(), /libclrgc/);
      await page.click('#functions-list .row:has-text("Render")');
      await frame(page);
      assert.match(await text(page, '#search-result'), /^60\.0% · 600 ms · 1\/2$/);
      assert.match(await text(page, '#selection'), /^Demo\.Renderer\.Render\(\)/);
      assert.equal(await page.locator('#functions-list .row').count(), 6); // the list stays as it was
    });
  });

  test('of just my code each run of other frames is one', async () => {
    await withReport('small', {}, async (page) => {
      const pressed = () => page.locator('#folding button[aria-pressed=true]').innerText();
      assert.equal(await pressed(), 'Fold async'); // as a page begins
      await page.keyboard.press('m');
      await frame(page);
      assert.equal(await pressed(), 'My code');
      assert.equal(await boxOf(page, 'qsort'), -1);
      assert.match(await hover(page, '(+1 libc.so.6)'), /^\(\+1 libc\.so\.6\) native library Total 900 ms 90\.0% .* 1 frame at most, folded/);
      assert.ok((await boxOf(page, '(+2 runtime)')) > 0); // of the collector's thread
      assert.match(await hover(page, 'Demo.Renderer.Render()'), /Self 300 ms/);
      await page.click('#folding button:text("All frames")');
      await frame(page);
      assert.ok((await boxOf(page, 'qsort')) > 0);
      await page.keyboard.press('m');
      assert.equal(await search(page, 'qsort'), 'only in folded frames');
      await search(page, '');
      await page.click('#folding button:text("All frames")');
      await page.keyboard.press('a');
      assert.equal(await pressed(), 'Fold async');
      await page.keyboard.press('a');
      assert.equal(await pressed(), 'All frames');
    });
  });

  test('a name is copied, and the panel is as wide as it is dragged', async () => {
    await withReport('small', {}, async (page) => {
      await hover(page, 'Demo.Renderer.Render()');
      await page.keyboard.press('c');
      await page.waitForFunction(() => document.getElementById('selection').textContent === 'Copied: Demo.Renderer.Render()');
      const width = async () => (await page.locator('#panel').boundingBox()).width;
      const before = await width();
      const grip = await page.locator('#panel-grip').boundingBox();
      await page.mouse.move(grip.x + 2, grip.y + 50);
      await page.mouse.down();
      await page.mouse.move(grip.x - 98, grip.y + 60, { steps: 4 });
      await page.mouse.up();
      await frame(page);
      assert.ok(Math.abs((await width()) - before - 100) <= 2, `${before} ${await width()}`);
      await page.locator('#panel-grip').focus();
      await page.keyboard.press('ArrowRight');
      assert.ok(Math.abs((await width()) - before - 76) <= 2);
      const says = () => page.locator('#panel-grip').getAttribute('aria-valuenow');
      assert.ok(Math.abs(Number(await says()) - before - 76) <= 2);
      await page.setViewportSize({ width: 800, height: 700 }); // there the panel lies over the page
      await frame(page);
      assert.ok((await width()) <= 400, 'a dragged width is of the wide page alone');
      await page.setViewportSize({ width: 1400, height: 800 });
      await page.locator('#panel-grip').dblclick();
      await frame(page);
      assert.equal(await page.evaluate(() => localStorage.getItem('walkabout.panel')), null);
      const reset = await width();
      assert.ok(Math.abs(Number(await says()) - reset) <= 2);
      await page.mouse.move(grip.x + 2, grip.y + 50);
      await page.mouse.down({ button: 'right' });
      await page.mouse.move(grip.x - 98, grip.y + 60, { steps: 2 });
      await page.mouse.up({ button: 'right' });
      assert.ok(Math.abs((await width()) - reset) <= 2, 'only the first button drags');
    });
  });

  test('of several rows that are copied each is a line', async () => {
    await withReport('small', {}, async (page) => {
      const copied = (rows) =>
        page.evaluate((count) => {
          const names = [...document.querySelectorAll('#functions-list .row .name')];
          getSelection().setBaseAndExtent(names[0], 0, names[count - 1], names[count - 1].childNodes.length);
          const event = new ClipboardEvent('copy', { bubbles: true, cancelable: true, clipboardData: new DataTransfer() });
          names[0].dispatchEvent(event);
          return event.defaultPrevented;
        }, rows);
      assert.equal(await copied(1), true);
      assert.equal(await copied(2), false); // the browser does it, line by line
    });
  });

  test('where room is short the namespace gives way', async () => {
    await withReport('small', { width: 900 }, async (page) => {
      const row = page.locator('#functions-list .row:has-text("Parser")');
      const [space, own] = [row.locator('.space'), row.locator('.own')];
      assert.equal(await space.textContent(), 'Demo.');
      const cut = (part) => part.evaluate((element) => element.scrollWidth - element.clientWidth);
      assert.ok((await cut(own)) > 0, 'the row is too narrow for the whole name');
      assert.ok((await space.boundingBox()).width < 3);
      assert.equal(await row.getAttribute('title'), 'Demo.Parser.Parse(System.ReadOnlySpan<char>)');
    });
  });

  test('everything works by keyboard', async () => {
    await withReport('small', {}, async (page) => {
      const selected = () => page.evaluate(() => document.getElementById('selection').textContent.split(/[,:]/)[0]);
      const press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
        await frame(page);
      };
      await press('ArrowUp', 'ArrowUp');
      assert.equal(await selected(), 'start_thread');
      await press('ArrowUp', 'ArrowRight');
      assert.equal(await selected(), 'Demo.Renderer.Render()');
      assert.ok(await page.isVisible('#tooltip'));
      await press('ArrowLeft', 'Enter');
      assert.deepEqual(await trail(page), ['all', 'start_thread', 'Program.Main']);
      await press('ArrowUp', 'Enter');
      assert.equal((await trail(page)).length, 4);
      await press('Backspace');
      assert.equal((await trail(page)).length, 3);
      await press('Escape');
      assert.deepEqual(await trail(page), ['all']);
      await press('i');
      assert.equal(await page.getAttribute('#show-icicle', 'aria-pressed'), 'true');
      const [root, leaf] = [await placeOf(page, 'start_thread'), await placeOf(page, 'qsort')];
      assert.ok(root.y < leaf.y, 'an icicle grows downwards');
      await press('ArrowDown');
      await press('/');
      await page.keyboard.type('render');
      await press('Enter');
      assert.equal(await text(page, '#search-result'), '60.0% · 600 ms · 1/2');
      await press('ArrowDown', 'n');
      assert.equal(await text(page, '#search-result'), '60.0% · 600 ms · 2/2');
      await press('N');
      assert.equal(await text(page, '#search-result'), '60.0% · 600 ms · 1/2');
      await press('Escape');
      assert.equal(await page.inputValue('#search-text'), '');
      await press('?');
      assert.ok(await page.isVisible('#help'));
      await press('?');
      assert.equal(await page.isVisible('#help'), false);
      await press('t');
      assert.equal(await page.isVisible('#panel'), false);
    });
  });

  test('dark and light follow the system and the button', async () => {
    await withReport('small', { dark: true }, async (page) => {
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const brightness = async () => (await background()).match(/\d+/g).map(Number).reduce((a, b) => a + b);
      assert.ok((await brightness()) < 150);
      const dark = await colourOf(page, 'start_thread');
      await page.click('#theme-button');
      await frame(page);
      assert.ok((await brightness()) > 600);
      assert.notEqual(await colourOf(page, 'start_thread'), dark);
      await page.keyboard.press('d');
      await frame(page);
      assert.equal(await colourOf(page, 'start_thread'), dark);
    });
  });

  test('every control has a name', async () => {
    await withReport('small', {}, async (page) => {
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll('button, input, canvas[role], [role=slider], [role=listbox], [role=group]')]
          .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
          .map((e) => e.outerHTML),
      );
      assert.deepEqual(nameless, []);
    });
  });
});

describe('events of the runtime over the time line', () => {
  // In the middle of lane `lane`, at `seconds` of ten.
  const placeIn = async (page, lane, seconds) => {
    const box = await page.locator('#lanes canvas').boundingBox();
    return [box.x + (box.width * seconds) / 10, box.y + 2 + lane * 13 + 6];
  };

  test('each kind has a lane, and a recording without them none', async () => {
    await withReport('events', {}, async (page) => {
      assert.equal(await text(page, '#lanes .names'), 'gc exceptions +');
      assert.match(await page.getAttribute('#lanes .names div:nth-child(2)', 'title'), /5 events, 1 sum of events whose time is not known/);
      assert.match(await page.getAttribute('#lanes canvas', 'aria-label'), /exceptions: 5 events, 1 sum of events/);
      const name = await page.locator('#lanes .names div:nth-child(2)').boundingBox();
      const atName = await page.evaluate(([x, y]) => document.elementFromPoint(x, y).title, [name.x + 3, name.y + 6]);
      assert.match(atName, /^exceptions: /, 'the pointer finds it');
      assert.equal(await page.isVisible('#tab-moment'), false);
    });
    await withReport('wall', {}, async (page) => assert.equal(await page.isVisible('#lanes'), false));
  });

  test('a click shows the event with its stack, and its time alone', async () => {
    await withReport('events', {}, async (page) => {
      await page.mouse.move(...(await placeIn(page, 0, 2.2)));
      assert.match(await text(page, '#lane-hint'), /^gc, 500 ms, at 2\.00 s: induced$/);
      await page.mouse.click(...(await placeIn(page, 0, 2.2)));
      await frame(page);
      assert.match(await text(page, '#moment'), /^gc show this time alone from 2\.00 s to 2\.50 s took 500 ms thread \.NET Main \(4242\) reason induced/);
      assert.match(await text(page, '#moment .stack'), /^Demo\.Parser\.Parse\(.*\) Demo\.dll .* start_thread libc\.so\.6$/);
      await page.click('#moment button');
      await frame(page);
      assert.match(await text(page, '#range'), /^2\.00 s – 2\.50 s/);
      assert.match(await text(page, '#breadcrumb'), /[56]0\.0 ms/);
    });
  });

  test('where nothing is nothing is picked', async () => {
    await withReport('events', {}, async (page) => {
      await page.mouse.click(...(await placeIn(page, 0, 9)));
      await frame(page);
      assert.equal(await page.isVisible('#tab-moment'), false);
    });
  });

  test('arrow keys go from event to event and from kind to kind', async () => {
    await withReport('events', {}, async (page) => {
      await page.focus('#lanes canvas');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await frame(page);
      assert.match(await text(page, '#moment'), /^gc .* took 100 ms/);
      await page.keyboard.press('ArrowDown');
      await frame(page);
      assert.match(await text(page, '#moment'), /^exceptions show this time alone at 3\.00 s thread Worker/);
      await page.keyboard.press('ArrowUp');
      await frame(page);
      assert.match(await text(page, '#moment'), /^gc .* took 500 ms/);
    });
  });
});

describe('a report of two events', () => {
  const choose = async (page, name) => {
    await page.click(`#events button:text-is("${name}")`);
    await frame(page);
  };

  test('one event needs no choice', async () => {
    await withReport('small', {}, async (page) => {
      for (const part of ['#events', '#states', '#tab-blocked', '#beside']) assert.equal(await page.isVisible(part), false, part);
    });
  });

  test('graph, functions, threads and time line are of the chosen event', async () => {
    await withReport('wall', {}, async (page) => {
      assert.match(await text(page, '#facts'), /CPU time 1\.00 s Wall time 40\.00 s Samples 100 /);
      assert.equal(await text(page, '#strip-what'), 'CPU over time');
      for (const states of ['#states', '#beside-states']) assert.equal(await page.isVisible(states), false, states);
      assert.ok((await boxOf(page, 'epoll_wait')) < 0);
      await choose(page, 'Wall time');
      assert.equal(await text(page, '#strip-what'), 'Threads over time');
      assert.match(await text(page, '#peak'), /^peak 4\.[0-2] threads$/);
      assert.match(await text(page, '#facts'), /Samples 800 .* Dropped 1$/);
      assert.match(await hover(page, 'epoll_wait'), /Total 10\.00 s 25\.0% 200 samples .*blocked 100%/);
      assert.match(await text(page, '#functions-list'), /^futex_wait .*46\.9% 18\.75 s 46\.9% 18\.75 s/);
      await page.click('#tab-threads');
      await frame(page);
      assert.equal(await text(page, '#threads-count'), '4 of 4 threads sampled');
      assert.match(await text(page, '#threads-list'), /25\.0% 10\.00 s/);
      await choose(page, 'CPU time');
      assert.ok((await boxOf(page, 'epoll_wait')) < 0);
      assert.equal(await text(page, '#threads-count'), '3 of 4 threads sampled');
    });
  });

  test('states are left out by the legend', async () => {
    await withReport('wall', {}, async (page) => {
      await choose(page, 'Wall time');
      assert.match(await text(page, '#states'), /^Running 4\.25% Runnable 0\.63% Blocked 95\.1%$/);
      await page.click('#states button:has-text("Blocked")');
      await frame(page);
      assert.equal(await page.evaluate(() => globalThis.walkabout.model.total), 1_950_000);
      assert.ok((await boxOf(page, 'epoll_wait')) < 0);
      assert.match(await text(page, '#states'), /Blocked 95\.1%$/);
    });
  });

  test('blocked time by system call, and the graph of one of them', async () => {
    await withReport('wall', {}, async (page) => {
      await choose(page, 'Wall time');
      await page.click('#tab-blocked');
      await page.click('#blocked-by-call');
      await frame(page);
      assert.equal(await text(page, '#blocked-count'), '38.05 s blocked in 3 system calls');
      assert.equal(
        await text(page, '#blocked-list'),
        'futex 375 samples 49.3% 18.75 s epoll_wait 200 samples 26.3% 10.00 s read 186 samples 24.4% 9.30 s',
      );
      await page.click('#blocked-list .row:has-text("read")');
      await frame(page);
      assert.equal(await page.evaluate(() => globalThis.walkabout.model.total), 9_300_000);
      assert.equal(await text(page, '#blocked-count'), 'only in read');
      await page.click('#blocked-all');
      assert.equal(await page.evaluate(() => globalThis.walkabout.model.total), 40_000_000);
      await choose(page, 'CPU time');
      assert.equal(await page.isVisible('#tab-blocked'), false);
      assert.equal(await page.isVisible('#panel-functions'), true);
    });
  });

  test('blocked time by the method that waits and who called it, and the graph of one of them', async () => {
    await withReport('wall', {}, async (page) => {
      await choose(page, 'Wall time');
      await page.click('#tab-blocked');
      await frame(page);
      assert.equal(await text(page, '#blocked-count'), '38.05 s blocked in 4 places');
      assert.equal(
        await text(page, '#blocked-list'),
        '(no managed code) 200 samples 26.3% 10.00 s ' +
          'System.Threading.LowLevelLifoSemaphore.WaitForSignal(int) 200 samples 26.3% 10.00 s ' +
          'System.Net.Sockets.Socket.Receive(System.Span<byte>) for Demo.Server.Serve() · 186 samples 24.4% 9.30 s ' +
          'System.Threading.Monitor.Enter(object) for Demo.Program.Main(string[]) · 175 samples 23.0% 8.75 s',
      );
      await page.click('#blocked-list .row:has-text("Monitor.Enter")');
      await frame(page);
      assert.equal(await page.evaluate(() => globalThis.walkabout.model.total), 8_750_000);
      assert.match(await text(page, '#blocked-count'), /^only in System\.Threading\.Monitor\.Enter/);
      await page.click('#blocked-all');
      assert.equal(await page.evaluate(() => globalThis.walkabout.model.total), 40_000_000);
    });
  });

  test('side by side both follow what is chosen in one', async () => {
    await withReport('wall', { width: 1500 }, async (page) => {
      await choose(page, 'Side by side');
      assert.equal(await page.isVisible('#beside-states'), true);
      const widths = await page.evaluate(() => ['graph', 'beside'].map((id) => document.getElementById(id).clientWidth));
      assert.ok(Math.abs(widths[0] - widths[1]) <= 2 && widths[0] > 300, String(widths));
      assert.match(await text(page, '#panel-functions .headings'), /^Function CPU time.* Wall time/);
      assert.match(await text(page, '#functions-list'), /Demo\.Parser\.Parse\S* Demo\.dll 30\.0% 300 ms 3\.13% 1\.25 s/);
      await page.click('#tab-threads');
      await page.click('#threads-list .row:has-text("Worker") .check');
      await frame(page);
      const totals = () => page.evaluate(() => [globalThis.walkabout.model.total, globalThis.walkabout.beside.total]);
      assert.equal((await totals())[1], 30_000_000);
      const worker = await page.evaluate(() => globalThis.walkabout.model.report.meta.threads[1].weight_us);
      assert.equal((await totals())[0], 1_000_000 - worker);
      // The keys are for the graph that has the focus.
      await page.focus('#beside-canvas');
      for (const key of ['ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
      assert.equal(await page.evaluate(() => globalThis.walkabout.model.selected), -1);
      assert.ok((await page.evaluate(() => globalThis.walkabout.beside.selected)) > 0);
      await page.keyboard.press('Enter');
      await frame(page);
      const names = await page.evaluate(() => {
        const { model, beside } = globalThis.walkabout;
        return [model.nameOf(model.zoom), beside.nameOf(beside.zoom)];
      });
      assert.equal(names[0], names[1]);
      await page.keyboard.press('e');
      await frame(page);
      assert.equal(await page.isVisible('#beside'), false);
      assert.equal(await text(page, '#sort-self'), 'Self');
    });
  });
});

describe('a report that wants to do harm', () => {
  test('names are text, whatever is in them', async () => {
    await withReport('hostile', {}, async (page) => {
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      assert.equal(await page.locator('img').count(), 0);
      assert.equal(await page.locator('script').count(), 2);
      const evil = '</script><script>window.hacked=1</script>';
      const shown = await hover(page, evil);
      assert.ok(shown.startsWith(evil), shown);
      await zoom(page, evil);
      assert.equal(await page.locator('#breadcrumb button').last().getAttribute('title'), evil);
      await page.click('#tab-threads');
      await frame(page);
      await page.click('#tab-functions');
      await frame(page);
      assert.ok((await page.locator('#functions-list').innerText()).includes('<img src=x onerror='));
      assert.ok((await boxOf(page, 'Ünïcode.Größe.Messen(日本語, 😀)')) > 0);
      assert.ok((await boxOf(page, 'nul\\u{0}inside')) > 0);
      assert.ok((await boxOf(page, 'not utf-8: \ufffd\ufffd\ufffd')) > 0);
      assert.ok((await boxOf(page, '[no name]')) > 0);
      assert.equal(await page.evaluate(() => window.hacked), undefined);
    });
  });

  test('loss and damage are in sight', async () => {
    await withReport('hostile', {}, async (page) => {
      const warnings = await text(page, '#warnings');
      assert.match(warnings, /^3 warnings The recording is damaged: 12 bytes after record 7/);
      assert.match(warnings, /cut off/);
      assert.match(warnings, /noted <img/);
      assert.match(await text(page, '#facts'), /Whole stacks 91\.7% Dropped 5$/);
    });
  });

  test('the page may not connect anywhere', async () => {
    const page = await openReport(browser, reports.small);
    const outcome = await page.evaluate(async () => {
      const refused = [];
      document.addEventListener('securitypolicyviolation', (e) => refused.push(e.effectiveDirective));
      await fetch('http://127.0.0.1:9/').catch(() => {});
      const image = new Image();
      image.src = 'http://127.0.0.1:9/x.png';
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 3';
      document.body.append(script);
      await new Promise((done) => setTimeout(done, 200));
      return { refused: refused.sort(), hacked: window.hacked };
    });
    assert.deepEqual(outcome, { refused: ['connect-src', 'img-src', 'script-src-elem'], hacked: undefined });
    await page.close();
  });
});

test('a recording without samples says so', async () => {
  await withReport('empty', {}, async (page) => {
    assert.equal(await text(page, '#empty'), 'The recording has no samples.');
    for (const key of ['ArrowUp', 'Enter', 'i', 'n', 'Escape']) await page.keyboard.press(key);
    await page.fill('#search-text', 'x');
    await frame(page);
  });
});

test('a browser that cannot decompress is told what it needs', async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => delete window.DecompressionStream);
  await page.goto(`file://${reports.small}`);
  await page.locator('#problem').waitFor({ state: 'visible' });
  assert.match(await text(page, '#problem'), /cannot be shown: this browser is too old/);
  await page.close();
});

describe('100,000 nodes', () => {
  test('the share of a search equals a count over the samples', async () => {
    await withReport('large', {}, async (page) => {
      assert.equal(await page.evaluate(() => globalThis.walkabout.model.report.tree.parent.length > 80_000), true);
      await search(page, 'Router7.');
      // Independently: a sample counts when any frame of its stack has the text.
      const { counted, whole, shown } = await page.evaluate(() => {
        const { report, matches } = globalThis.walkabout.model;
        const { tree, frames, rows } = report;
        let counted = 0;
        let whole = 0;
        for (let i = 0; i < rows.node.length; i++) {
          whole += rows.weight[i];
          for (let node = rows.node[i]; node !== 0; node = tree.parent[node]) {
            if (!frames.name[tree.frame[node]].toLowerCase().includes('router7.')) continue;
            counted += rows.weight[i];
            break;
          }
        }
        return { counted, whole, shown: matches.weight };
      });
      assert.ok(counted > 0 && counted < whole);
      assert.equal(shown, counted);
      const share = (100 * counted) / whole;
      assert.ok((await text(page, '#search-result')).startsWith(`${share.toFixed(share < 10 ? 2 : 1)}%`));
    });
  });

  test('it is drawn, and how fast (printed, not judged)', async (t) => {
    await withReport('large', { width: 1600, height: 1000 }, async (page) => {
      const filled = await page.evaluate(() => {
        const canvas = document.getElementById('graph-canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
        return count / (data.length / 4);
      });
      assert.ok(filled > 0.3, `${filled} of the canvas is drawn`);
      const figures = await page.evaluate(async () => {
        const { graph, model } = globalThis.walkabout;
        const area = document.getElementById('graph');
        const frames = [];
        for (let i = 0; i < 60; i++) {
          area.scrollTop = ((i % 20) / 20) * area.scrollHeight;
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          frames.push(graph.lastFrameMs);
        }
        const filters = [];
        for (let i = 0; i < 11; i++) {
          model.setFilter({ from: i * 100, to: model.report.meta.buckets });
          filters.push(model.aggregateMs);
        }
        const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
        return { boxes: model.boxes.count, rows: model.report.rows.node.length, frame: median(frames),
          worst: Math.max(...frames), filter: median(filters) };
      });
      t.diagnostic(`boxes ${figures.boxes}, rows ${figures.rows}`);
      t.diagnostic(`frame_ms_median ${figures.frame.toFixed(1)}`);
      t.diagnostic(`frame_ms_worst ${figures.worst.toFixed(1)}`);
      t.diagnostic(`filter_ms_median ${figures.filter.toFixed(1)}`);
    });
  });

  test('zoom, orientation and a narrow window', async () => {
    await withReport('large', { width: 480, height: 640 }, async (page) => {
      assert.equal(await page.isVisible('#panel'), false);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide`);
      await page.keyboard.press('i');
      await frame(page);
      await zoom(page, 'System.Threading.ThreadPoolWorkQueue.Dispatch()');
      assert.deepEqual((await trail(page)).at(-1), 'ThreadPoolWorkQueue.Dispatch');
    });
  });
});

describe('traced calls', () => {
  const traced = (body) => withReport('traced', {}, body);
  const rows = (page) => page.$$eval('#methods-list .row', (all) => all.map((row) => [...row.children].slice(1).map((cell) => cell.innerText.replaceAll('\n', ''))));

  test('their times are a call tree, and what else was measured are its other events', () =>
    traced(async (page) => {
      const events = await page.$$eval('#events button', (all) => all.map((one) => one.textContent));
      assert.deepEqual(events.slice(0, 5), ['Traced time', 'Traced CPU time', 'Calls', 'Exceptions', 'Slow calls']);
      assert.equal(await text(page, '#peak'), 'peak 1.2 threads');
      assert.match(await text(page, '#facts'), /Calls 1,000,091 .* Methods 6$/);
      const checkout = await placeOf(page, 'Shop.Cart.Checkout(int)');
      const main = await placeOf(page, 'Shop.Program.Main(string[])');
      assert.ok(Math.abs(checkout.width / main.width - 800 / 900) < 0.01);
      await page.mouse.move(checkout.x, checkout.y);
      const shown = await text(page, '#tooltip');
      assert.match(shown, /Total 800 ms 87\.0% 80 calls Self 200 ms 21\.7% 20 calls/);
      assert.match(shown, /20 calls of 30\.0 ms to 60\.0 ms · on a processor 400 ms with what it called · 1 call ended by an exception/);
      await page.click('#events button:text-is("Calls")');
      assert.equal(await page.evaluate(() => globalThis.walkabout.model.total), 1_000_091);
    }));

  test('what was not traced is said', () =>
    traced(async (page) => {
      await page.click('#warnings summary');
      const said = await text(page, '#warnings-list');
      assert.match(said, /1 method was not traced, the body cannot be read: Shop\.Cart\.Twist\(\)\..*only their calls were counted: Shop\.Item\.Price\.get\(\)\./);
      assert.match(said, /4 slow calls not kept one by one: there was no room\. ?Times are without the probes' own: 15\.0 ns of each call/);
    }));

  test('the table has all methods and figures, sorts by each, and leads to the tree', () =>
    traced(async (page) => {
      await page.click('#view button:text-is("Methods")');
      await frame(page);
      const headings = await page.$$eval('#methods-headings button', (all) => all.map((one) => one.textContent));
      assert.deepEqual(headings, ['Method', 'Calls', 'Total', 'Self', 'CPU', 'Waiting', 'Min', 'Median', 'p99', 'Max', 'Thrown']);
      const bySelf = await rows(page);
      assert.deepEqual(bySelf[0], ['Shop.Db.Query(string)', '25', '410 ms', '410 ms', '205 ms', '0 ns', '1.0 ms', '19.9 ms', '48.2 ms', '50.0 ms', '0']);
      assert.deepEqual(bySelf.find(([name]) => name === 'Shop.Item.Price.get()').slice(1, 4), ['1,000,000', '–', '–']);
      await page.click('#methods-headings button:text-is("Thrown")');
      await frame(page);
      assert.equal((await rows(page))[0][0], 'Shop.Cart.Checkout(int)');
      await page.fill('#search-text', 'Sum');
      await frame(page);
      assert.deepEqual((await rows(page)).map(([name]) => name), ['Shop.Cart.Sum()']);
      await page.click('#methods-list .row');
      assert.equal(await page.locator('#graph').isVisible(), true);
      const selected = await page.evaluate(() => globalThis.walkabout.model.nameOf(globalThis.walkabout.model.selected));
      assert.equal(selected, 'Shop.Cart.Sum()');
    }));

  test('slow calls are slices in their callers, and one is shown with its values and its stack', () =>
    traced(async (page) => {
      await page.keyboard.press('v');
      await page.keyboard.press('v');
      await frame(page);
      const at = (index) => page.evaluate((i) => globalThis.walkabout.timeline.place(i), index);
      const [outer, inner] = [await at(0), await at(1)];
      assert.ok(inner.y > outer.y && inner.x > outer.x && inner.x + inner.width <= outer.x + outer.width);
      const canvas = await page.locator('#timeline-canvas').boundingBox();
      await page.mouse.click(canvas.x + inner.x + inner.width / 2, canvas.y + inner.y + 8);
      assert.equal(await page.locator('#tab-moment').innerText(), 'Call');
      const shown = await text(page, '#moment');
      assert.match(shown, /Shop\.Db\.Query\(string\) took 50\.0 ms from 105 ms to 155 ms CPU 12\.5 ms thread main \(4711\)/);
      assert.match(shown, /sql "SELECT \* FROM orders… returned 17 within Shop\.Cart\.Checkout\(int\) ?60\.0 ms/);
      assert.match(shown, /Shop\.Cart\.Checkout\(\) shop\.dll|Shop\.Cart\.Checkout\(\)/);
      await page.click('#moment .other-call button');
      assert.match(await text(page, '#moment'), /id 42 threw System\.TimeoutException: no answer in it/);
      await page.focus('#timeline-canvas');
      await page.keyboard.press('ArrowRight');
      assert.match(await text(page, '#moment'), /Shop\.Orders\.Load\(int\) .* waiting 110 ms .* ended in main \(4711\) .*not known/);
    }));

  test('a call is zoomed to, and the whole comes back', () =>
    traced(async (page) => {
      await page.click('#view button:text-is("Timeline")');
      await page.focus('#timeline-canvas');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await frame(page);
      const span = () => page.evaluate(() => globalThis.walkabout.timeline.span);
      const near = await span();
      assert.ok(near.from < 100_000 && near.from > 90_000 && near.to > 160_000 && near.to < 170_000);
      await page.keyboard.press('Escape');
      assert.deepEqual(await span(), { from: 0, to: 1_000_000 });
    }));

  test('a page without them has no choice of views', () =>
    withReport('small', {}, async (page) => {
      assert.equal(await page.locator('#view').isHidden(), true);
      await page.keyboard.press('v');
      assert.equal(await page.locator('#graph').isVisible(), true);
    }));
});
