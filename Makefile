# make            builds the libraries, the headers and the launcher into build/
# make demo       runs a real CUDA program on it and prints what it did
# make test       runs every test
# make stress     64 threads for minutes, also under ThreadSanitizer
# make fuzz       calls of every function at random, for ten minutes
# make bench      measures, side by side with the limits of this machine
# make header     regenerates cuda.h and docs/STATUS.md from the source
# make install    PREFIX=/usr/local (and DESTDIR) by default
# make clean
PREFIX ?= /usr/local
CARGO ?= cargo
HEADERS = cuda.h cudaGL.h cudaEGL.h cudaVDPAU.h cudaProfiler.h

all: build/lib/libcuda.so.1 cudart launcher

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

# doppel, which runs programs on these libraries.
launcher: FORCE
	$(CARGO) build --release --locked -p doppel-launcher
	mkdir -p build/bin
	cmp -s target/release/doppel build/bin/doppel || install -m 755 target/release/doppel build/bin/doppel

demo: all
	LD_LIBRARY_PATH=build/lib "$$(tests/venv.sh python)" clients/bindings_streams.py

test: all
	tests/all.sh

stress:
	tests/stress/run.sh 60

fuzz:
	CALLS_SECONDS=600 $(CARGO) test --release --locked --test calls

bench: all
	benches/run.sh

header:
	$(CARGO) run --quiet --locked -p doppel-header
	crates/cudart/status.sh >docs/STATUS-cudart.md

install: all
	mkdir -p $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include
	install -m 755 build/bin/doppel $(DESTDIR)$(PREFIX)/bin/doppel
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
.PHONY: all cudart launcher demo test stress fuzz bench header install clean FORCE
