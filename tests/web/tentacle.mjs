// The tentacle page: both methods draw, the candy wrapper is there on the left and gone on the right, as wide as
// arithmetic says, and sliders, keys, pointers and the theme do what they promise.
import assert from 'node:assert/strict';
import { colourDistance, comparePictures, crop, drawnShare, pixel } from './harness/pictures.mjs';
import { webTest } from './harness/web_test.mjs';

/** Software draws it: a small stage is a quick one. */
const SMALL = { width: 1000, height: 640 };
const STILL = 'bend=0&speed=0&play=0&shape=round&yaw=30&pitch=2';

/** Only the drawing, nothing of the page over it. */
const BARE = '.half, .handle { visibility: hidden !important }';

/** Waits until the page has drawn what was asked for. */
async function drawn(page) {
  await page.waitForSelector('html[data-ready]');
  await page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
  }));
}

/** A page that stands still with a query, drawn. */
async function openStill(web, query, options) {
  const page = await web.open(`tentacle.html?${query}`, options);
  await drawn(page);
  return page;
}

async function set(page, slider, value) {
  await page.locator(`#${slider}`).fill(String(value));
  await drawn(page);
}

/** The middle of a handle, in pixels of the viewport. */
async function handle(page, joint, side = 0) {
  const box = await page.locator(`.handle[data-joint="${joint}"][data-side="${side}"]`).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
/** Degrees. */
const direction = (from, to) => Math.atan2(to.y - from.y, to.x - from.x) * 180 / Math.PI;
const text = (page, id) => page.textContent(`#${id}`);

/** The two halves of the drawing without the page's texts, of one size, and where the middle ring is in them. */
async function halves(web, page, label) {
  const style = await page.addStyleTag({ content: BARE });
  const stage = page.locator('#stage');
  const picture = await web.screenshot(stage, label);
  await style.evaluate((element) => element.remove());
  const box = await stage.boundingBox();
  const width = Math.floor(picture.width / 2);
  const frame = 2; // the stage's border
  const part = (left) => crop(picture, left, frame, width - 2 * frame, picture.height - 2 * frame);
  return {
    linear: part(frame),
    dualQuat: part(picture.width - width + frame),
    row: Math.round((await handle(page, 1)).y - box.y) - frame,
  };
}

/** Pixels of a row from the first to the last that is not the background's. */
function widthOf(picture, row) {
  const background = pixel(picture, 0, row);
  let first = -1, last = -2;
  for (let x = 0; x < picture.width; x++) {
    if (colourDistance(pixel(picture, x, row), background) <= 16) continue;
    if (first < 0) first = x;
    last = x;
  }
  return last - first + 1;
}

await webTest(import.meta.url, async (web) => {
  let page = await openStill(web, `${STILL}&twist=0`, SMALL);

  web.step('without a twist both methods draw the same strip');
  let { linear, dualQuat, row } = await halves(web, page, 'straight');
  assert.ok(drawnShare(linear) > 0.05 && drawnShare(linear) < 0.6, `drawn: ${drawnShare(linear)}`);
  const same = comparePictures(linear, dualQuat);
  assert.ok(same.differing < 0.001, `${same.differing} of the pixels differ`);
  const straight = widthOf(linear, row);
  assert.ok(straight > 40, `the strip is ${straight} pixels wide`);
  assert.equal(await text(page, 'linear-lost'), '0 %');
  assert.equal(await text(page, 'dual-lost'), '0 %');

  // cos(a / 2) of the width; a dual quaternion leaves all of it.
  for (const [twist, share] of [[60, 0.866], [120, 0.5], [180, 0]]) {
    web.step(`a twist of ${twist} degrees leaves ${share} of the radius on the left, all of it on the right`);
    await set(page, 'twist', twist);
    ({ linear, dualQuat, row } = await halves(web, page, `twist_${twist}`));
    const left = widthOf(linear, row) / straight, right = widthOf(dualQuat, row) / straight;
    console.log(`  ${left.toFixed(3)} and ${right.toFixed(3)}`);
    assert.ok(Math.abs(left - share) < 0.03, `left: ${left}`);
    assert.ok(Math.abs(right - 1) < 0.03, `right: ${right}`);
    assert.ok(comparePictures(linear, dualQuat).differing > 0.005, 'the halves differ');
    assert.equal(await text(page, 'linear-radius'), `${Math.round(share * 100)} %`);
    assert.equal(await text(page, 'dual-radius'), '100 %');
    assert.ok(Math.abs(Number(await text(page, 'measured')) - share) < 0.002);
    assert.ok(Math.abs(Number(await text(page, 'cosine')) - share) < 0.002);
  }

  web.step('a bend moves the tip, and its slider says so');
  const upright = await handle(page, 3);
  await set(page, 'bend', 30);
  assert.ok(distance(upright, await handle(page, 3)) > 20);
  assert.match(await text(page, 'bend-value'), /30°/);
  assert.match(await page.getAttribute('#bend', 'aria-valuetext'), /30°/);
  await set(page, 'bend', 0);

  web.step('bones are seen through the strip');
  const without = (await halves(web, page, 'no_bones')).dualQuat;
  await page.check('#bones');
  await drawn(page);
  const withBones = (await halves(web, page, 'bones')).dualQuat;
  assert.ok(comparePictures(without, withBones).differing > 0.003);

  web.step('keys: bones, section, pause, camera, reset');
  await page.locator('#stage').focus();
  await page.keyboard.press('b');
  assert.equal(await page.isChecked('#bones'), false);
  await page.keyboard.press('s');
  assert.equal(await page.getAttribute('[data-shape="square"]', 'aria-pressed'), 'true');
  await drawn(page);
  assert.ok(comparePictures(without, (await halves(web, page, 'square')).dualQuat).differing > 0.01);
  await page.keyboard.press(' ');
  assert.equal(await text(page, 'play'), 'Pause');
  await page.keyboard.press(' ');
  assert.equal(await text(page, 'play'), 'Play');
  const before = (await halves(web, page, 'camera_before')).dualQuat;
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await drawn(page);
  assert.ok(comparePictures(before, (await halves(web, page, 'camera_after')).dualQuat).differing > 0.01);
  await page.keyboard.press('r');
  assert.deepEqual([await page.inputValue('#twist'), await page.inputValue('#bend')], ['160', '14']);
  await page.close();

  web.step('a joint that is dragged follows the pointer, in both halves, and stays while paused');
  page = await openStill(web, `${STILL}&twist=0`, SMALL);
  for (const side of [0, 1]) {
    const [root, from] = [await handle(page, 1, side), await handle(page, 2, side)];
    const to = { x: from.x + (side ? -70 : 60), y: from.y + 10 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await drawn(page);
    const held = await handle(page, 2, side);
    const turned = direction(root, held) - direction(root, to);
    assert.ok(Math.abs(turned) < 3, `from its parent, the joint is ${turned} degrees beside the pointer`);
    assert.ok(distance(from, held) > 40, 'it moves');
    assert.ok(distance(root, await handle(page, 1, side)) < 1, 'what is below does not');
    await page.mouse.up();
    await drawn(page);
    assert.ok(distance(held, await handle(page, 2, side)) < 1);
    const half = (await page.locator('#stage').boundingBox()).width / 2;
    const twin = await handle(page, 2, 1 - side);
    assert.ok(Math.abs(twin.x - held.x - (side ? -half : half)) < 2 && Math.abs(twin.y - held.y) < 1, 'both halves show one pose');
  }

  web.step('R lets go of a joint that keys hold');
  await page.keyboard.press('r');
  await drawn(page);
  const free = await handle(page, 2);
  await page.locator('button.handle[data-joint="2"]').focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  await drawn(page);
  assert.ok(distance(free, await handle(page, 2)) > 10, 'keys pull it');
  await page.keyboard.press('r');
  await drawn(page);
  assert.ok(distance(free, await handle(page, 2)) < 1);

  web.step('while it plays, a joint that is let go swings back');
  await page.keyboard.press('r');
  await set(page, 'bend', 0);
  await set(page, 'twist', 0);
  await set(page, 'speed', 0);
  const rest = await handle(page, 3);
  await page.click('#play');
  await page.mouse.move(rest.x, rest.y);
  await page.mouse.down();
  await page.mouse.move(rest.x + 80, rest.y + 30, { steps: 3 });
  await drawn(page);
  assert.ok(distance(rest, await handle(page, 3)) > 30);
  await page.mouse.up();
  for (let tries = 0; distance(rest, await handle(page, 3)) > 1; tries++) {
    assert.ok(tries < 100, 'it never came back');
    await page.waitForTimeout(100);
  }

  web.step('a focused joint is pulled by arrow keys until Escape');
  await page.locator('.handle[data-joint="3"][data-side="0"]').focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
  await drawn(page);
  assert.ok((await handle(page, 3)).x - rest.x > 10);
  await page.keyboard.press('Escape');
  for (let tries = 0; distance(rest, await handle(page, 3)) > 1; tries++) {
    assert.ok(tries < 100, 'it never came back');
    await page.waitForTimeout(100);
  }

  web.step('speed moves it, pause stops it');
  await set(page, 'bend', 25);
  const slow = await handle(page, 3);
  await page.waitForTimeout(400);
  assert.ok(distance(slow, await handle(page, 3)) < 0.5, 'at speed 0 it stands');
  await set(page, 'speed', 1);
  const places = [];
  for (let i = 0; i < 8; i++) {
    await page.waitForTimeout(150);
    places.push(await handle(page, 3));
  }
  assert.ok(Math.max(...places.map((p) => distance(p, places[0]))) > 10, 'at speed 1 it moves');
  await page.click('#play');
  await drawn(page);
  const paused = await handle(page, 3);
  await page.waitForTimeout(400);
  assert.ok(distance(paused, await handle(page, 3)) < 0.01, 'paused it stands');

  web.step('timings are numbers');
  await page.click('#play');
  await page.waitForFunction(() => Number(document.getElementById('fps').textContent) > 0);
  for (const stage of ['pose', 'model', 'palette', 'upload', 'draw']) {
    assert.match(await text(page, `time-${stage}`), /^(< 0\.001|\d+\.\d{3})$/, stage);
  }

  web.step('light and dark');
  assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
  await page.click('#theme');
  assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
  await drawn(page);
  const dark = pixel((await halves(web, page, 'dark_half')).linear, 4, 4);
  assert.ok(Math.max(...dark) < 64, `the background is ${dark}`);
  await page.close();

  web.step('what cannot start says why, in words');
  page = await web.open('tentacle.html', {
    ignore: /marrow|404|WebAssembly/,
    before: (p) => p.route('**/*.wasm', (route) => route.fulfill({ status: 200, body: 'not a module' })),
  });
  await page.waitForSelector('#message.error');
  assert.match(await text(page, 'message'), /^The page cannot start\. .+/);
  await page.close();
  page = await web.open('tentacle.html', {
    before: (p) => p.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; }),
  });
  await page.waitForSelector('#message.error');
  assert.match(await text(page, 'message'), /WebGL 2/);
  await page.close();

  web.step('a lost context is drawn again');
  page = await openStill(web, `${STILL}&twist=90`, { ...SMALL, ignore: /context.*lost/i });
  const drawnBefore = (await halves(web, page, 'context_before')).linear;
  const extension = await page.evaluateHandle(() => {
    const lose = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    lose.loseContext();
    return lose;
  });
  await page.waitForSelector('#message.error');
  await extension.evaluate((lose) => lose.restoreContext());
  await page.waitForFunction(() => document.getElementById('message').textContent === '');
  await drawn(page);
  const { differing } = comparePictures(drawnBefore, (await halves(web, page, 'context_after')).linear);
  assert.ok(differing < 0.001, `${differing} of the pixels differ`);
  await page.close();

  web.step('whoever wants less motion starts paused');
  page = await openStill(web, '', { ...SMALL, reducedMotion: true });
  assert.equal(await text(page, 'play'), 'Play');
  await page.close();

  web.step('pictures of the whole page, and nothing sticks out of a phone');
  const moment = 'twist=160&bend=14&time=0.12&play=0';
  for (const [label, options] of [
    ['light', { colorScheme: 'light', height: 860 }],
    ['dark', { colorScheme: 'dark', height: 860 }],
    ['tablet', { width: 820, height: 1100 }],
    ['phone', { width: 390, height: 844, scale: 2, touch: true }],
    ['phone_small', { width: 320, height: 640, touch: true, colorScheme: 'dark' }],
  ]) {
    page = await openStill(web, moment, options);
    assert.equal(await page.getAttribute('html', 'data-theme'), options.colorScheme ?? 'light');
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${label}: ${over} pixels too wide`);
    await web.screenshot(page, label, { fullPage: true });
    await page.close();
  }

  // The picture of the README: the stage alone.
  page = await openStill(web, 'twist=175&bend=10&time=0.2&play=0&shape=round&yaw=24&bones=1', { width: 1310, scale: 1.5 });
  await page.addStyleTag({ content: '.handle { visibility: hidden } .stage { height: 590px; border: 0 !important; border-radius: 0 !important }' });
  await drawn(page);
  await web.screenshot(page.locator('#stage'), 'readme');
});
