// The three films, frame by frame: each draws the moment `at`, from 0 to 1, on a canvas of 640 by 360.

const mix = (from, to, share) => from.map((value, index) => Math.round(value + (to[index] - value) * share));
const colour = (rgb) => `rgb(${rgb.join(' ')})`;
/** The same number for the same seed, from 0 to 1. */
const chance = (seed) => {
  const wave = Math.sin(seed * 127.1) * 43_758.5453;
  return wave - Math.floor(wave);
};

/** Houses under a sky that goes from night to night. */
function skyline(context, at) {
  const day = Math.max(0, Math.sin(at * Math.PI));
  const { width, height } = context.canvas;
  context.fillStyle = colour(mix([22, 28, 52], [226, 232, 228], day));
  context.fillRect(0, 0, width, height);
  context.fillStyle = colour(mix([240, 226, 190], [232, 150, 72], day));
  context.beginPath();
  context.arc(60 + at * 520, 300 - Math.sin(at * Math.PI) * 230, 26, 0, 7);
  context.fill();
  for (let row = 0; row < 3; row++) {
    const near = row / 2;
    context.fillStyle = colour(
      mix(mix([52, 62, 96], [24, 30, 48], near), mix([150, 172, 180], [44, 74, 96], near), day),
    );
    for (let house = 0; house < 18; house++) {
      const seed = row * 40 + house;
      const wide = 26 + chance(seed) * 26;
      const high = (60 + chance(seed + 0.3) * 120) * (1.25 - near * 0.45);
      const left = house * 38 - 12;
      context.fillRect(left, height - high, wide, high);
      if (row < 2) continue;
      const fill = context.fillStyle;
      for (let window = 0; window < 8; window++) {
        const lit = chance(seed * 9 + window) > 0.35 + day * 0.6;
        context.fillStyle = lit ? '#f2c46d' : colour(mix([16, 20, 34], [70, 104, 124], day));
        context.fillRect(left + 6 + (window % 2) * 12, height - high + 10 + Math.floor(window / 2) * 18, 6, 9);
      }
      context.fillStyle = fill;
    }
  }
}

/** Waves that come and go, each a little higher. */
function tide(context, at) {
  const { width, height } = context.canvas;
  context.fillStyle = '#0f2d33';
  context.fillRect(0, 0, width, height);
  const inks = ['#17474f', '#24707a', '#3f8f90', '#7fbfb2', '#f4c95d'];
  inks.forEach((ink, wave) => {
    const level = 120 + wave * 46 - Math.sin(at * Math.PI * 4 + wave) * 26 - at * 20;
    context.fillStyle = ink;
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 16)
      context.lineTo(x, level + Math.sin(x / (70 + wave * 12) + at * 18 + wave * 2) * (16 - wave * 2));
    context.lineTo(width, height);
    context.fill();
  });
}

/** Points that call one another. */
function network(context, at) {
  const { width, height } = context.canvas;
  context.fillStyle = '#1b1f3a';
  context.fillRect(0, 0, width, height);
  const points = Array.from({ length: 26 }, (_, index) => ({
    x: 40 + chance(index) * (width - 80) + Math.sin(at * 6.3 + index) * 10,
    y: 36 + chance(index + 0.5) * (height - 72) + Math.cos(at * 6.3 + index * 2) * 10,
  }));
  points.forEach((from, index) => {
    for (let other = index + 1; other < points.length; other++) {
      const to = points[other];
      if (Math.hypot(to.x - from.x, to.y - from.y) > 130) continue;
      context.strokeStyle = '#40509a';
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
      const along = (at * 9 + chance(index * 31 + other) * 4) % 4;
      if (along > 1) continue;
      context.fillStyle = '#ff8a5b';
      context.beginPath();
      context.arc(from.x + (to.x - from.x) * along, from.y + (to.y - from.y) * along, 3.5, 0, 7);
      context.fill();
    }
  });
  points.forEach(({ x, y }, index) => {
    context.fillStyle = index % 5 === 0 ? '#b9c6ec' : '#6f86c9';
    context.beginPath();
    context.arc(x, y, 4 + chance(index + 0.2) * 6, 0, 7);
    context.fill();
  });
}

/** Plays a film on the page's canvas. Resolves with what was recorded: a WebM file, in base64. */
async function record(draw, seconds, bitsASecond) {
  const canvas = document.querySelector('canvas');
  const context = canvas.getContext('2d');
  draw(context, 0);
  const parts = [];
  const recorder = new MediaRecorder(canvas.captureStream(24), {
    mimeType: 'video/webm;codecs=vp9',
    videoBitsPerSecond: bitsASecond,
  });
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((done) => {
    recorder.onstop = done;
  });
  recorder.start();
  const start = performance.now();
  await new Promise((done) => {
    const step = () => {
      const at = (performance.now() - start) / 1000 / seconds;
      draw(context, Math.min(at, 1));
      if (at < 1) requestAnimationFrame(step);
      else done();
    };
    step();
  });
  recorder.stop();
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

Object.assign(globalThis, { skyline, tide, network, record });
