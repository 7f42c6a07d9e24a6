package main

// What is evaluated in a page. The browser does so beside the page's policy, which forbids scripts.
const (
	// openAll opens everything that is folded.
	openAll = `document.querySelectorAll('details').forEach(one => one.open = true)`
	// closeAll folds it again, and lays the page out.
	closeAll = `document.querySelectorAll('details').forEach(one => one.open = false), document.documentElement.scrollHeight`
	// overflow is by how many pixels the page is wider than its window.
	overflow = `document.documentElement.scrollWidth - window.innerWidth`
	// tracks are the lanes with their bars and gaps.
	tracks = `[...document.querySelectorAll('svg.track')].map(track => {
		const box = track.getBoundingClientRect();
		const spans = selector => [...track.querySelectorAll(selector)].map(bar => {
			const own = bar.getBoundingClientRect();
			return {from: own.left, to: own.right};
		});
		return {label: track.getAttribute('aria-label'), from: box.left, to: box.right, bars: spans(':scope > rect.bar')};
	})`
	// faint are the visible texts whose contrast is below that of WCAG AA, and how many texts there are.
	faint = `(() => {
		const rgb = text => text.match(/[\d.]+/g).map(Number);
		const light = color => color.slice(0, 3).map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
			.reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
		const behind = element => {
			for (let one = element; one; one = one.parentElement) {
				const color = rgb(getComputedStyle(one).backgroundColor);
				if (color.length === 3 || color[3] === 1) return color;
			}
			return [255, 255, 255];
		};
		const faint = [];
		let texts = 0;
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node = walker.nextNode(); node; node = walker.nextNode()) {
			const element = node.parentElement, style = getComputedStyle(element);
			if (!node.data.trim() || element.closest('title') || !element.checkVisibility()) continue;
			texts++;
			const isSVG = element instanceof SVGElement;
			const [high, low] = [light(rgb(isSVG ? style.fill : style.color)), light(behind(element))].sort((a, b) => b - a);
			const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
			const contrast = (high + 0.05) / (low + 0.05);
			if (contrast < (isLarge ? 3 : 4.5)) faint.push(node.data.trim() + ': ' + contrast.toFixed(2));
		}
		return {faint, texts};
	})()`
	// stackedLanes are the lanes that are below their names, as on a narrow page, and not beside. Those of health insights always are.
	stackedLanes = `[...document.querySelectorAll('.lane:not(.episode)')].filter(lane => {
		const name = lane.querySelector('.name'), track = lane.querySelector('svg');
		return name && track && getComputedStyle(name).display !== 'none' && name.getBoundingClientRect().right > track.getBoundingClientRect().left;
	}).map(lane => lane.textContent.slice(0, 40))`
	// foreign are elements and attributes that no report has.
	foreign = `[...document.querySelectorAll('*')].filter(one =>
		['script', 'img', 'image', 'iframe', 'object', 'embed', 'link', 'form', 'input', 'button', 'b', 'foreignobject', 'animate', 'base'].includes(one.localName) ||
		one.hasAttribute('style') || [...one.attributes].some(attribute => attribute.name.startsWith('on')) ||
		(one.getAttribute('href') || '').match(/^\s*(javascript|data):/i)).map(one => one.outerHTML.slice(0, 200))`
	// visibleText is the text of the page.
	visibleText = `document.body.textContent`
)
