# The course on a CPU, for a user without rights: docker build -t course . && docker run --rm -p 127.0.0.1:8888:8888 course
# Your answers outside of the container: -v "$PWD/work:/home/learner/course/work". A GPU needs an image with CUDA's torch:
# --build-arg TORCH=cuda, and docker run --gpus all.
FROM python:3.12-slim

ARG TORCH=cpu
# The image's Python comes without bytecode, and the user below may not write it: each process would compile its library.
RUN python -m compileall -q /usr/local/lib/python3.12 || echo "Not all modules of Python itself could be compiled."
RUN useradd --create-home --uid 1000 learner && install -d -o learner -g learner /home/learner/course
USER 1000
WORKDIR /home/learner/course

# Packages first: they change more rarely than the course, and a layer that has not changed is not made again.
COPY --chown=learner:learner requirements.txt requirements-cpu.txt pyproject.toml setup.py README.md LICENSE LICENSE-TEXT ./
COPY --chown=learner:learner tools/install.py tools/
COPY --chown=learner:learner course.toml ./
COPY --chown=learner:learner course_utils course_utils
COPY --chown=learner:learner lessonkit lessonkit
COPY --chown=learner:learner torch_clinic torch_clinic
RUN python tools/install.py --torch ${TORCH} && rm -rf /home/learner/.cache

COPY --chown=learner:learner . .
ENV PATH=/home/learner/course/.venv/bin:$PATH
EXPOSE 8888
# A container's own loopback cannot be reached from outside: here JupyterLab listens on all of its addresses, and the
# command above publishes it on the host's loopback only. The token that it prints is asked for in any case.
CMD ["course", "lab", "--no-browser", "--", "--ServerApp.ip=0.0.0.0"]
