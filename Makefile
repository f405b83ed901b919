# make            builds the libraries and the headers into build/
# make demo       runs a real CUDA program on it and prints what it did
# make test       runs every test
# make stress     64 threads for minutes, also under ThreadSanitizer
# make bench      measures, side by side with the limits of this machine
# make header     regenerates cuda.h and docs/STATUS.md from the source
# make install    PREFIX=/usr/local (and DESTDIR) by default
# make clean
PREFIX ?= /usr/local
CARGO ?= cargo
HEADERS = cuda.h cudaGL.h cudaEGL.h cudaVDPAU.h cudaProfiler.h

all: build/lib/libcuda.so.1 cudart

# Cargo knows best what is out of date.
build/lib/libcuda.so.1: FORCE
	$(CARGO) build --release --locked
	mkdir -p build/lib build/include
	cmp -s target/release/libcuda.so $@ || install -m 755 target/release/libcuda.so $@
	ln -sf libcuda.so.1 build/lib/libcuda.so
	install -m 644 $(HEADERS) build/include/

# The CUDA runtime on top: libcudart.so.12, libcudart.so.13, libcudart_static.a.
cudart: FORCE
	$(CARGO) build --release --locked -p doppel-cudart12 -p doppel-cudart13
	crates/cudart/link.sh target/release build/lib

demo: all
	LD_LIBRARY_PATH=build/lib "$$(tests/venv.sh python)" clients/bindings_streams.py

test: all
	tests/all.sh

stress:
	tests/stress/run.sh 60

bench: all
	benches/run.sh

header:
	$(CARGO) run --quiet --locked -p doppel-header
	crates/cudart/status.sh >docs/STATUS-cudart.md

install: all
	mkdir -p $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include
	install -m 755 build/lib/libcuda.so.1 $(DESTDIR)$(PREFIX)/lib/libcuda.so.1
	ln -sf libcuda.so.1 $(DESTDIR)$(PREFIX)/lib/libcuda.so
	install -m 755 build/lib/libcudart.so.12 build/lib/libcudart.so.13 $(DESTDIR)$(PREFIX)/lib/
	ln -sf libcudart.so.13 $(DESTDIR)$(PREFIX)/lib/libcudart.so
	install -m 644 build/lib/libcudart_static.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 $(HEADERS) $(DESTDIR)$(PREFIX)/include/

clean:
	$(CARGO) clean
	rm -rf build

FORCE:
.PHONY: all cudart demo test stress bench header install clean FORCE
