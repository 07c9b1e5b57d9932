import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import { build } from 'vite';

// One file each: an extension's scripts import nothing, and the bookmarklet page inlines its script.
const entries = {
  'popup.js': { entry: 'src/popup/main.tsx', format: 'iife' },
  'content.js': { entry: 'src/content/main.ts', format: 'iife' },
  'highlights.js': { entry: 'src/page/main.ts', format: 'iife' },
  'background.js': { entry: 'src/background/main.ts', format: 'iife' },
  'connect.js': { entry: 'src/connect/main.tsx', format: 'iife' },
  'panel.js': { entry: 'src/panel/main.tsx', format: 'iife' },
  'options.js': { entry: 'src/options/main.tsx', format: 'iife' },
  'save.js': { entry: 'src/save-page/main.ts', format: 'iife' },
};
const outDir = 'dist/browser';

for (const [file, { entry, format }] of Object.entries(entries)) {
  await build({
    configFile: false,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: false,
      target: 'chrome123',
      minify: true,
      lib: { entry, formats: [format], name: 'recollect', fileName: () => file },
    },
  });
}
// The popup runs in browsers that the manifest requires, the bookmarklet's page in any.
const styles = {
  'src/popup/popup.css': ['chrome123', 'firefox128'],
  'src/page/highlights.css': ['chrome123', 'firefox128'],
  'src/save-page/save.css': 'baseline-widely-available',
};
for (const [input, target] of Object.entries(styles)) {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      target,
      rolldownOptions: { input, output: { assetFileNames: '[name][extname]' } },
    },
  });
}
await copyFile('src/popup/popup.html', `${outDir}/popup.html`);
await copyFile('src/connect/connect.html', `${outDir}/connect.html`);
await copyFile('src/panel/panel.html', `${outDir}/panel.html`);
await copyFile('src/options/options.html', `${outDir}/options.html`);
await cp('icons', outDir, { recursive: true, filter: (path) => !path.endsWith('.svg') });
const [page, style, script] = await Promise.all(
  ['src/save-page/save.html', `${outDir}/save.css`, `${outDir}/save.js`].map((file) => readFile(file, 'utf8')),
);
// In HTML, `</script` ends a script even inside a string.
const inert = script.replaceAll('</script', '<\\/script').trim();
const whole = page.replace('/*style*/', () => style.trim()).replace('/*script*/', () => inert);
await writeFile(`${outDir}/save.html`, whole);
