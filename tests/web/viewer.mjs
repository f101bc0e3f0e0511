// The viewer page: files that are dropped are drawn as `marrow render` draws them, panels show and change what is
// true, keys and gestures do what they say, and what cannot be opened is said in words.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { colourDistance, comparePictures, decodePng, drawnShare, pixel } from './harness/pictures.mjs';
import { skip, webTest } from './harness/web_test.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const assets = join(resolve(root, process.env.MARROW_SHARED ?? '../shared'), 'assets/gltf');
if (!existsSync(join(assets, 'Fox.glb'))) skip(`no real files in ${assets}`);
const asset = (name, from = name) => ({ name, bytes: readFileSync(join(assets, from)) });

/** Only the picture, nothing of the page over it. */
const BARE = '#labels, .facts, .banner, #empty { visibility: hidden !important }';

/** Waits until what was asked for has been drawn. */
async function drawn(page) {
  await page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
  }));
}

async function openPage(web, options) {
  const page = await web.open('index.html', options);
  await page.waitForSelector('body[data-state="empty"]');
  await drawn(page);
  return page;
}

/** Drops files and waits until the first of them, or `name`, is shown. */
async function drop(web, page, files, name = files[0].name) {
  await web.dropFiles(page, '#stage', files);
  await page.waitForFunction((wanted) => document.querySelector('#file').textContent === wanted, name);
  await page.waitForSelector('#stage[data-decoding="0"]');
  await drawn(page);
}

/** Drops what cannot be opened, and waits for the words. */
async function dropWrong(web, page, files) {
  await page.evaluate(() => { document.querySelector('#banner').hidden = true; });
  await web.dropFiles(page, '#stage', files);
  await page.waitForSelector('#banner:not([hidden])');
  return (await page.innerText('#banner')).replace(/\s+/g, ' ');
}

/** The picture alone. */
async function picture(web, page, label) {
  const style = await page.addStyleTag({ content: BARE });
  await page.evaluate(() => document.activeElement.blur());
  const taken = await web.screenshot(page.locator('#canvas'), label);
  await style.evaluate((element) => element.remove());
  return taken;
}

const text = (page, selector) => page.textContent(selector);
const pressed = (page, selector) => page.getAttribute(selector, 'aria-pressed');
const chosenClip = (page) => text(page, '#clips [aria-selected="true"] .name');
const frames = async (page) => Number(await page.getAttribute('body', 'data-frames'));
const time = async (page) => Number(await page.inputValue('#time'));

async function press(page, key) {
  await page.locator('#canvas').focus();
  await page.keyboard.press(key);
  await drawn(page);
}

async function setTime(page, seconds) {
  await page.fill('#time', String(seconds));
  await page.keyboard.press('Enter');
  await drawn(page);
}

async function setSlider(page, id, value) {
  await page.locator(`#${id}`).fill(String(value));
  await drawn(page);
}

async function search(page, words) {
  await page.fill('#search', words);
  await page.keyboard.press('Enter');
  await drawn(page);
}

/** Runs in the page, before it. */
function withoutWebGL() {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function get(kind, ...rest) {
    return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
  };
}

await webTest(import.meta.url, async (web) => {
  let page = await openPage(web);

  web.step('it starts empty, and says what to do');
  assert.match(await page.innerText('#empty'), /Drop a character here/);
  await web.screenshot(page, 'empty_light');

  web.step('a dropped file plays its first clip');
  await drop(web, page, [asset('Fox.glb')]);
  assert.equal(await page.isVisible('#empty'), false);
  assert.equal(await chosenClip(page), 'Survey');
  assert.deepEqual(await page.locator('#clips .name').allTextContents(), ['Survey', 'Walk', 'Run', 'Rest pose']);
  const before = await time(page);
  await page.waitForFunction((last) => Number(document.querySelector('#time').value) !== last, before);

  web.step('space pauses, and then nothing is drawn any more');
  await press(page, 'Space');
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play');
  await page.waitForTimeout(300);
  const still = await frames(page);
  await page.waitForTimeout(500);
  assert.equal(await frames(page), still);

  web.step('the picture is that of marrow render, with bones and without, by both methods');
  await page.click('#clips li:nth-child(3)');
  await setTime(page, 0.2);
  for (const [label, keys, options] of [
    ['run', [], []],
    ['run_dqs', ['m'], ['--method', 'dqs']],
    ['run_dqs_bones', ['b'], ['--method', 'dqs', '--skeleton']],
  ]) {
    for (const key of [...keys, 'f']) await press(page, key);
    const ours = await picture(web, page, label);
    if (web.canRender) {
      const native = web.render(`native_${label}`, [join(assets, 'Fox.glb'), '--clip', 'Run', '--time', '0.2', '--size', `${ours.width}x${ours.height}`, ...options]);
      const { differing, mean } = comparePictures(ours, native);
      console.log(`  ${label}: ${(differing * 100).toFixed(3)} % of the pixels differ, mean ${mean.toFixed(3)}`);
      assert.ok(differing < 0.002 && mean < 0.5, `${label}: ${differing} differ, mean ${mean}`);
    } else {
      assert.ok(drawnShare(ours) > 0.1);
    }
  }
  assert.equal(await pressed(page, '[data-field="bones"]'), 'true');
  await press(page, 'b');

  web.step('the timeline goes where it is pressed, steps, and stops at typed times');
  const lanes = await page.locator('#lanes').boundingBox();
  await page.mouse.click(lanes.x + 22 + (lanes.width - 34) / 2, lanes.y + 40);
  await drawn(page);
  const duration = Number(await text(page, '#duration'));
  assert.ok(Math.abs(await time(page) - duration / 2) < 0.01, `${await time(page)} of ${duration}`);
  await press(page, 'Home');
  assert.equal(await time(page), 0);
  await press(page, 'ArrowRight');
  assert.ok(Math.abs(await time(page) - 1 / 30) < 0.001);
  await press(page, 'ArrowDown');
  assert.equal(await chosenClip(page), 'Rest pose');
  await press(page, 'ArrowUp');
  assert.equal(await chosenClip(page), 'Run');

  web.step('speed and loop are the same by key and by control');
  await press(page, 'Minus');
  assert.equal(await page.inputValue('#speed'), '0.75');
  await page.selectOption('#speed', '1');
  await press(page, 'l');
  assert.equal(await pressed(page, '#loop'), 'false');
  await press(page, 'l');

  web.step('a crossfade goes from one clip to the other');
  await setTime(page, 0.2);
  const run = await picture(web, page, 'fade_0');
  await page.selectOption('#other', { label: 'Walk' });
  await setSlider(page, 'fade', 0);
  assert.ok(comparePictures(run, await picture(web, page, 'fade_0')).differing < 0.0001);
  await setSlider(page, 'fade', 1);
  assert.equal(await text(page, '#fade-value'), '100 %');
  assert.ok(comparePictures(run, await picture(web, page, 'fade_1')).differing > 0.01);
  assert.equal(await page.locator('#clips .badge').count(), 1);
  await press(page, 'x');
  await page.click('#clips li:nth-child(3)');
  await setTime(page, 0.2);

  web.step('a search finds joints, the tree selects one, and its keys and curves are there');
  await search(page, 'neck');
  assert.deepEqual(await page.locator('#tree mark').allTextContents(), ['Neck']);
  assert.equal(await page.getAttribute('#stage', 'data-joint'), 'b_Neck_04');
  assert.equal(await text(page, '#tree [aria-selected="true"] .name'), 'b_Neck_04');
  assert.match(await text(page, '#curve-note'), /b_Neck_04 · \d+ keys · linear/);
  assert.match(await text(page, '#curve-values'), /^x [−\d.]+y [−\d.]+z [−\d.]+w [−\d.]+$/);
  const curve = decodePng(Buffer.from((await page.locator('#curves').evaluate((c) => c.toDataURL())).split(',')[1], 'base64'));
  const inked = new Set();
  for (let x = 0; x < curve.width; x++) for (let y = 0; y < curve.height; y++) inked.add(pixel(curve, x, y).join());
  const tints = [[200, 57, 47], [44, 132, 55], [44, 105, 201], [133, 82, 196]];
  const curvesDrawn = tints.filter((tint) => [...inked].some((ink) => colourDistance(ink.split(',').map(Number), tint) < 3));
  assert.ok(curvesDrawn.length >= 2, 'curves are drawn in their colours; equal ones hide each other');
  await web.screenshot(page, 'joint_light');
  await search(page, 'no such joint');
  assert.equal(await page.isVisible('#no-match'), true);
  await page.fill('#search', '');

  web.step('weights are a heat map of the selected joint');
  const plain = await picture(web, page, 'heat_off');
  await press(page, 'w');
  const heat = await picture(web, page, 'heat_on');
  assert.ok(comparePictures(plain, heat).differing > 0.05);
  assert.equal(await page.isVisible('#heat-legend'), true);
  await press(page, 'w');

  web.step('a click on a bone selects its joint, one beside it nothing');
  await press(page, 'b');
  const stageBox = await page.locator('#canvas').boundingBox();
  await page.mouse.click(stageBox.x + 5, stageBox.y + 5);
  await drawn(page);
  assert.equal(await page.getAttribute('#stage', 'data-joint'), '');
  await page.mouse.click(stageBox.x + stageBox.width / 2, stageBox.y + stageBox.height * 0.47);
  await drawn(page);
  assert.match(await page.getAttribute('#stage', 'data-joint'), /^b_/);
  await press(page, 'Escape');
  assert.equal(await page.getAttribute('#stage', 'data-joint'), '');
  await press(page, 'b');

  web.step('CPU and GPU agree, and the page says by how much');
  await press(page, 'c');
  await page.waitForFunction(() => document.querySelector('#difference').textContent.includes('10⁻'));
  console.log(`  ${await text(page, '#difference')}`);
  assert.match(await text(page, '#difference'), /^\d\.\d · 10⁻[⁶⁷⁸] of the size$/);
  const byCpu = await picture(web, page, 'cpu');
  await press(page, 'c');
  assert.ok(comparePictures(byCpu, await picture(web, page, 'gpu')).differing < 0.0005);

  web.step('linear skinning loses radius where joints turn, dual quaternions less');
  await page.click('#method button[value="0"]');
  await drawn(page);
  const lost = parseFloat(await text(page, '#lost'));
  assert.ok(lost > 5, `${lost} %`);
  await page.click('#method button[value="1"]');
  await drawn(page);
  assert.ok(parseFloat(await text(page, '#lost')) < lost / 2);
  await page.click('#method button[value="2"]');
  await setSlider(page, 'blend', 0.25);
  assert.equal(await text(page, '#blend-value'), '25 %');
  await page.click('#method button[value="0"]');

  web.step('dragging turns the picture, the wheel brings it nearer, f takes it back');
  const home = await picture(web, page, 'camera_home');
  await page.mouse.move(stageBox.x + 300, stageBox.y + 300);
  await page.mouse.down();
  await page.mouse.move(stageBox.x + 420, stageBox.y + 330, { steps: 4 });
  await page.mouse.up();
  await page.mouse.wheel(0, -300);
  await drawn(page);
  const turned = await picture(web, page, 'camera_turned');
  assert.ok(comparePictures(home, turned).differing > 0.1);
  assert.equal(await page.getAttribute('#stage', 'data-joint'), '', 'a drag is no click');
  await press(page, 'f');

  web.step('names, bounds and a crowd');
  await press(page, 'o');
  await press(page, 'n');
  const labels = () => page.locator('#labels').evaluate((c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v));
  assert.equal(await labels(), true);
  await web.screenshot(page, 'names_bounds');
  await press(page, 'n');
  await press(page, 'o');
  assert.equal(await labels(), false);
  await page.fill('#crowd', '9');
  await page.keyboard.press('Enter');
  await drawn(page);
  assert.match(await text(page, '#facts'), /9 characters/);
  await web.screenshot(page, 'crowd');
  await page.fill('#crowd', '1');
  await page.keyboard.press('Enter');

  web.step('a picture that cannot be drawn is said, and the next one is drawn again');
  await page.evaluate(() => {
    const gl = document.querySelector('#canvas').getContext('webgl2');
    gl.texSubImage2D = () => { throw new Error('no room for this'); };
  });
  await press(page, 'b');
  assert.match(await page.innerText('#banner'), /cannot be drawn\s+no room for this/);
  await page.evaluate(() => delete document.querySelector('#canvas').getContext('webgl2').texSubImage2D);
  await press(page, 'b');
  assert.equal(await page.isVisible('#banner'), false);

  web.step('help lists the keys and closes by Escape');
  await press(page, 'h');
  assert.match(await page.innerText('#help-dialog'), /space\s+play or pause/);
  await web.screenshot(page, 'help');
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('#help-dialog'), false);

  web.step('a screenshot is a PNG of the picture');
  const download = page.waitForEvent('download');
  await page.click('#screenshot');
  const saved = await download;
  assert.match(saved.suggestedFilename(), /^Fox_Run_\d\.\d\ds\.png$/);
  const png = decodePng(readFileSync(await saved.path()));
  assert.ok(comparePictures(png, await picture(web, page, 'saved')).differing < 0.001);

  web.step('the same file again keeps clip and time');
  await setTime(page, 0.3);
  await drop(web, page, [asset('Fox.glb')]);
  assert.equal(await chosenClip(page), 'Run');
  assert.equal(await time(page), 0.3);

  web.step('a .gltf finds the .bin beside it; without it the page says which file is missing');
  const words = await dropWrong(web, page, [asset('03_skinned_cylinder.gltf')]);
  assert.match(words, /03_skinned_cylinder\.gltf cannot be opened.*03_skinned_cylinder\.bin.*Drop the \.gltf together with its \.bin/);
  assert.equal(await text(page, '#file'), 'Fox.glb');
  await drop(web, page, [asset('03_skinned_cylinder.bin'), asset('03_skinned_cylinder.gltf')], '03_skinned_cylinder.gltf');
  assert.equal(await page.isVisible('#banner'), false);
  assert.ok(drawnShare(await picture(web, page, 'gltf_and_bin')) > 0.05);

  web.step('the joint that is selected stays in sight, though its curves take room from the list');
  await drop(web, page, [asset('Knight.glb')]);
  await search(page, 'upperarm.l');
  await page.waitForFunction(() => {
    const row = document.querySelector('#tree [aria-selected="true"]').getBoundingClientRect();
    const list = document.querySelector('#tree').getBoundingClientRect();
    return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
  });
  await drop(web, page, [asset('03_skinned_cylinder.bin'), asset('03_skinned_cylinder.gltf')], '03_skinned_cylinder.gltf');

  web.step('what cannot be opened is said in words');
  const fox = asset('Fox.glb');
  assert.match(await dropWrong(web, page, [{ name: 'cut.glb', bytes: fox.bytes.subarray(0, 5000) }]), /cut\.glb cannot be opened.*5000 bytes of the 162852/);
  assert.match(await dropWrong(web, page, [{ name: 'noise.glb', bytes: Buffer.from('no character at all') }]), /noise\.glb cannot be opened.*glTF/);
  assert.match(await dropWrong(web, page, [{ name: 'broken.gltf', bytes: Buffer.from('{"asset": {"version": "2.0"},,}') }]), /line 1/);
  assert.match(await dropWrong(web, page, [{ name: 'empty.glb', bytes: Buffer.alloc(0) }]), /empty\.glb cannot be opened it is empty/);
  assert.match(await dropWrong(web, page, [{ name: 'walk.bvh', bytes: Buffer.from('HIERARCHY\nROOT a\n{\n OFFSET 0 0 x\n') }]),
    /walk\.bvh cannot be opened.*line 4.*expected a number, found 'x'.*Export the motion again/);
  assert.match(await dropWrong(web, page, [{ name: 'a.txt', bytes: Buffer.from('a') }, { name: 'b.txt', bytes: Buffer.from('b') }]), /None of these files is a character/);
  await web.screenshot(page, 'wrong_file');
  const joints = '{"asset": {"version": "2.0"}, "nodes": [{"name": "a<b>"}], "scenes": [{"nodes": [0]}]}';
  assert.match(await dropWrong(web, page, [{ name: 'joints.gltf', bytes: Buffer.from(joints) }]), /joints\.gltf has no mesh There is nothing to draw/);
  assert.deepEqual(await page.locator('#tree .name').allTextContents(), ['a<b>']);
  await drop(web, page, [asset('03_skinned_cylinder.bin'), asset('03_skinned_cylinder.gltf')], '03_skinned_cylinder.gltf');
  assert.match(await dropWrong(web, page, [{ name: 'a.txt', bytes: Buffer.from('a') }]), /a\.txt cannot be opened/);
  await page.click('#banner-close');
  assert.equal(await page.isVisible('#banner'), false);
  assert.equal(await text(page, '#file'), '03_skinned_cylinder.gltf');

  web.step('motion capture shows its bones and is played, without a word about the mesh that it does not have');
  await drop(web, page, [asset('01_01.bvh', '../bvh/01_01.bvh')]);
  assert.equal(await page.isVisible('#banner'), false);
  assert.equal(await page.locator('#tree .name').first().textContent(), 'Hips');
  assert.ok(drawnShare(await picture(web, page, 'bvh')) > 0.001);

  web.step('findings name what is odd, and select the joint that they name');
  await drop(web, page, [asset('CesiumMan.glb')]);
  assert.equal(await text(page, '#finding-count'), '1');
  assert.match(await text(page, '#findings'), /NODE_SKINNED_MESH_NON_ROOT/);
  const named = await text(page, '#findings .badge');
  await page.click('#findings li');
  await drawn(page);
  assert.equal(await page.getAttribute('#stage', 'data-joint'), named);
  await press(page, 'Escape');
  await page.focus('#findings [role="button"]');
  await page.keyboard.press('Enter');
  await drawn(page);
  assert.equal(await page.getAttribute('#stage', 'data-joint'), named);

  web.step('morph targets: their weights are curves, and the picture is that of marrow render');
  await drop(web, page, [asset('AnimatedMorphCube.gltf'), asset('AnimatedMorphCube.bin')]);
  await press(page, 'Space');
  await setTime(page, 1);
  await search(page, 'a');
  assert.equal(await text(page, '#kinds button[aria-pressed="true"]'), 'Weights');
  await press(page, 'Escape');
  await press(page, 'f');
  if (web.canRender) {
    const ours = await picture(web, page, 'morph');
    const native = web.render('native_morph', [join(assets, 'AnimatedMorphCube.gltf'), '--clip', '0', '--time', '1', '--size', `${ours.width}x${ours.height}`]);
    assert.ok(comparePictures(ours, native).differing < 0.002);
  }
  await page.context().close();

  web.step('a picture that is larger than a texture can be is made smaller');
  const foxes = [];
  for (const most of [0, 256]) {
    page = await openPage(web, { before: (p) => p.addInitScript((limit) => {
      const { getParameter } = WebGL2RenderingContext.prototype;
      WebGL2RenderingContext.prototype.getParameter = function get(name) {
        return limit && name === this.MAX_TEXTURE_SIZE ? limit : getParameter.call(this, name);
      };
      const { texImage2D } = WebGL2RenderingContext.prototype;
      window.widest = 0;
      WebGL2RenderingContext.prototype.texImage2D = function put(...given) {
        if (given[5] instanceof ImageBitmap) window.widest = Math.max(window.widest, given[5].width);
        return texImage2D.apply(this, given);
      };
    }, most) });
    await drop(web, page, [asset('Fox.glb')]);
    await press(page, 'Space');
    await setTime(page, 0);
    foxes.push(await picture(web, page, `texture_${most}`));
    assert.ok(await page.evaluate(() => window.widest) === (most || 1024));
    await page.context().close();
  }
  const { mean: between } = comparePictures(...foxes);
  assert.ok(between < 1, `${between}`);

  web.step('what is dropped before the viewer has started is opened then');
  let letGo;
  const held = new Promise((done) => { letGo = done; });
  page = await web.open('index.html', { before: (p) => p.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  }) });
  await web.dropFiles(page, '#stage', [asset('Fox.glb')]);
  assert.equal(await page.getAttribute('body', 'data-state'), 'starting');
  letGo();
  await page.waitForFunction(() => document.querySelector('#file').textContent === 'Fox.glb');
  await page.context().close();

  web.step('opened as a file, which has no modules, it says what it needs');
  page = await web.browser.newPage();
  await page.goto(pathToFileURL(join(web.folder, 'site/index.html')).href);
  assert.match(await page.innerText('#banner'), /needs a web server.*http\.server/s);
  await page.close();

  web.step('folders: a file is found by its path below the .gltf, else by its name');
  page = await openPage(web, { colorScheme: 'dark' });
  const found = await page.evaluate(async () => {
    const { chooseCharacter } = await import('./dropped_files.js');
    const file = (path, content) => ({ path, file: new File([content], path.split('/').pop()) });
    const text = JSON.stringify({ images: [{ uri: './textures/skin%20a.png' }, { uri: 'skin.png' }], buffers: [{ uri: 'buffers/MESH.bin' }, { uri: 'none.bin' }] });
    const choice = await chooseCharacter([file('man/textures/skin a.png', 'exact'), file('man/man.gltf', text), file('man/a/skin.png', 'one'),
      file('man/b/skin.png', 'other'), file('man/mesh.bin', 'named'), file('man/unnamed.bin', 'never read')]);
    const read = (path) => new TextDecoder().decode(choice.findFile(path) ?? new Uint8Array());
    return [choice.main.path, ...['textures/skin a.png', 'buffers/MESH.bin', 'skin.png', 'none.bin', 'unnamed.bin'].map(read)];
  });
  assert.deepEqual(found, ['man/man.gltf', 'exact', 'named', '', '', '']);

  web.step('the demo characters need no file');
  await page.click('#demos button:first-of-type');
  await page.waitForSelector('body[data-state="open"]');
  await drawn(page);
  assert.deepEqual(await page.locator('#clips .name').allTextContents(), ['idle', 'walk', 'run', 'Rest pose']);
  assert.equal(await text(page, '#file'), 'biped');

  web.step('dark, and light again by the button');
  await drop(web, page, [asset('Fox.glb')]);
  await press(page, 'Space');
  const header = async () => pixel(await web.screenshot(page, 'dark'), 640, 10);
  assert.ok(Math.max(...await header()) < 64);
  assert.ok(Math.max(...pixel(await picture(web, page, 'dark_picture'), 20, 20)) < 64, 'the picture is dark too');
  await page.click('[data-theme-toggle]');
  await drawn(page);
  assert.ok(Math.min(...await header()) > 192);
  assert.ok(Math.min(...pixel(await picture(web, page, 'light_picture'), 20, 20)) > 128);
  await page.click('[data-theme-toggle]');
  await search(page, 'tail02');
  await web.screenshot(page, 'dark');
  await page.context().close();

  web.step('on a phone panels are chosen by tabs, and two fingers zoom');
  page = await openPage(web, { width: 390, height: 844, touch: true, scale: 2 });
  await web.screenshot(page, 'phone_empty');
  await drop(web, page, [asset('Fox.glb')]);
  await press(page, 'Space');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  for (const panel of ['clips', 'look', 'joints', 'curves', 'findings']) {
    await page.tap(`.tabs [data-panel="${panel}"]`);
    await drawn(page);
    assert.equal(await page.isVisible(`#panel-${panel}`), true, panel);
    assert.equal(await page.locator('.panel:visible').count(), 1);
    await web.screenshot(page, `phone_${panel}`);
  }
  await page.tap('.tabs [data-panel="findings"]');
  await drawn(page);
  assert.equal(await page.locator('.panel:visible').count(), 0);
  const apart = await picture(web, page, 'phone');
  const client = await page.context().newCDPSession(page);
  for (const [type, spread] of [['touchStart', 40], ['touchMove', 60], ['touchMove', 80], ['touchMove', 100]]) {
    await client.send('Input.dispatchTouchEvent', { type, touchPoints: [-1, 1].map((side) => ({ x: 195 + side * spread, y: 350, id: side + 1 })) });
  }
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await drawn(page);
  const near = await picture(web, page, 'phone_near');
  assert.ok(comparePictures(apart, near).differing > 0.1);
  await page.context().close();

  web.step('reduced motion: nothing plays by itself');
  page = await openPage(web, { reducedMotion: true });
  await drop(web, page, [asset('Fox.glb')]);
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play');
  assert.equal(await time(page), 0);

  web.step('a lost context is said, and what was shown comes back');
  await page.context().close();
  page = await openPage(web, { ignore: /CONTEXT_LOST_WEBGL|context lost/i });
  await drop(web, page, [asset('Fox.glb')]);
  await press(page, 'Space');
  await setTime(page, 0.5);
  const whole = await picture(web, page, 'context_before');
  await page.evaluate(() => {
    const gl = document.querySelector('#canvas').getContext('webgl2');
    window.lose = gl.getExtension('WEBGL_lose_context');
    window.lose.loseContext();
  });
  await page.waitForSelector('#banner:not([hidden])');
  assert.match(await page.innerText('#banner'), /graphics were taken away/);
  await page.evaluate(() => window.lose.restoreContext());
  await page.waitForSelector('#banner', { state: 'hidden' });
  await drawn(page);
  assert.equal(await time(page), 0.5);
  assert.ok(comparePictures(whole, await picture(web, page, 'context_after')).differing < 0.0005);
  await page.context().close();

  web.step('without WebGL 2 the page says so');
  page = await web.open('index.html', { before: (p) => p.addInitScript(withoutWebGL) });
  await page.waitForSelector('body[data-state="failed"]');
  assert.match(await page.innerText('#banner'), /cannot draw with WebGL 2/);
});
